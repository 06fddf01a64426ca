"""A corpus in pieces, on one machine or many: Arrow batches, and engines that pass them on."""
