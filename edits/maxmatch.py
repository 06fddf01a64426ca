"""M² (MaxMatch, Dahlmeier and Ng 2012): the edits of a system that match most gold edits.

Source and correction are aligned word by word. The best alignments, by edit distance with
substitutions that cost 1 and with ones that cost 2, form a lattice of steps from (0, 0) to the ends
of both: keep, substitute, delete or insert a word. An edit is a walk in it that changes something
and keeps at most a few words. Of all ways to cut a path into kept words and edits, M² takes the one
with most gold edits, then fewest steps outside of them, then fewest edits.

One pass over the lattice finds it. At each node, a path is between edits or in an edit with a
number of kept words; gold edits are arcs of their own.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count

from ..corpus.m2 import Edit, tokens_of
from ..inputs import Corpus
from ..options import Options
from ..significance import Progress
from .matches import Match, Matches

Node = tuple[int, int]  # words of source and correction that are done
Steps = Mapping[Node, Iterable[tuple[Node, bool]]]  # to the next nodes; whether a word changes
Words = tuple[str, ...]

# Nodes whose distances are kept of a pair of texts: more take gigabytes, and minutes.
_MOST_NODES = 1 << 20
# Steps of paths that are kept only because they use other gold insertions than the best ones. These
# paths may double with every insertion that has alternatives: more steps take seconds.
_MOST_STEPS = 1 << 20


def match_corpus(corpus: Corpus, options: Options, progress: Progress) -> Matches:
    fold = str.lower if options.ignore_case else str
    sentences, most_kept = corpus.gold["m2"], int(options.max_unchanged_words)
    gold = [
        [_fold_edits(sentence.tokens, edits, fold) for edits in sentence.edits.values()]
        for sentence in sentences
    ]
    systems: list[list[list[Match]]] = [[] for _ in corpus.systems]
    for index in progress(range(len(gold)), len(gold)):
        source = tuple(map(fold, sentences[index].tokens))
        known = {source: [Match([], 0)] * len(gold[index])}  # systems agree on many sentences
        for (name, texts), matches in zip(corpus.systems.items(), systems, strict=True):
            correction = tuple(map(fold, tokens_of(texts[index].strip())))
            if correction not in known:
                try:
                    steps = align(source, correction)
                    known[correction] = [
                        match(source, correction, steps, edits, most_kept) for edits in gold[index]
                    ]
                except ValueError as error:
                    # People count the sentences of files from 1, programs those of lists from 0.
                    place = f": sentence {index + 1}" if corpus.label == "{}" else f"[{index}]"
                    label = corpus.label.format(name)
                    raise ValueError(f"{label}{place}: {error}") from None
            matches.append(known[correction])
    return Matches(options, gold, systems)


def _fold_edits(tokens: list[str], edits: list[Edit], fold: Callable[[str], str]) -> list[Edit]:
    """Edits without regard to case: those that change nothing else are none."""
    if fold is str:
        return edits
    folded = []
    for edit in edits:
        corrections = tuple(tuple(map(fold, words)) for words in edit.corrections)
        if tuple(map(fold, tokens[edit.start : edit.stop])) not in corrections:
            folded.append(edit._replace(corrections=corrections))
    return folded


def match(
    source: Words, correction: Words, steps: Steps, gold: Sequence[Edit], most_kept: int
) -> Match:
    """Find the gold edits among the edits of a correction, given the lattice of `align`."""
    end = (len(source), len(correction))
    arcs, reusable = _gold_arcs(steps, correction, gold, most_kept, end)
    # The price of a path: one for an edit, more for a step than for all edits, and a gold edit
    # saves more than all steps cost.
    step = len(source) + len(correction) + 1
    saved = step * step
    # For each node, the best paths to it: {(gold insertions used, label): (price, correct edits)}.
    # Labels: 0 between edits, n in an edit with n - 1 kept words.
    paths: dict[Node, dict] = defaultdict(dict)
    paths[0, 0][0, 0] = 0, None
    n_steps = 0
    for node in sorted({*steps, end}):
        here = paths.pop(node)
        n_steps += max(len(here) - most_kept - 2, 0) * (1 + len(arcs.get(node, ())))
        if n_steps > _MOST_STEPS:
            raise ValueError(
                f"the gold insertions before word {node[0] + 1} have alternatives that fit in too "
                "many ways; leave out some of them"
            )
        for (used, label), path in list(here.items()):
            if label:
                _keep_best(here, (used, 0), path)
        for after, changes in steps.get(node, ()):
            there, fitting = paths[after], reusable[after]
            for (used, label), (price, correct) in here.items():
                if changes and not label:
                    price, label = price + 1, 1
                elif label and not changes:
                    label += 1
                if label <= most_kept + 1:
                    _keep_best(there, (used & fitting, label), (price + step, correct))
        for after, number, bit, first in arcs.get(node, ()):
            for (used, label), (price, correct) in here.items():
                if not label and not used & bit and used & first == first:
                    key = (used | bit) & reusable[after], 0
                    _keep_best(paths[after], key, (price + 1 - saved, (number, correct)))
    price, correct = min(here.values(), key=lambda path: path[0])
    numbers = []
    while correct:
        number, correct = correct
        numbers.append(number)
    return Match(sorted(numbers), (price + len(numbers) * saved) % step)


def _keep_best(paths: dict, key: tuple[int, int], path: tuple) -> None:
    known = paths.get(key)
    if known is None or path[0] < known[0]:
        paths[key] = path


def _gold_arcs(
    steps: Steps, correction: Words, gold: Sequence[Edit], most_kept: int, end: Node
) -> tuple[dict[Node, list[tuple[Node, int, int, int]]], dict[Node, int]]:
    """Where gold edits are walks: by first node, the last one, the edit's number, and two bits.

    The first bit is an insertion's own, because each can be found once; other edits cannot be found
    twice, because a path does not come back. The second is that of an equal insertion before it,
    which must be found first: otherwise, paths would differ only in which of them they found. Also
    returns the insertions that fit at a node or later at its place: only these need be remembered.
    """
    positions: dict[int, list[int]] = defaultdict(list)
    for i, j in (*steps, end):
        positions[i].append(j)
    arcs, reusable = defaultdict(list), defaultdict(int)
    equal: dict[tuple, int] = {}  # the bit of the last insertion with this place and text
    for number, (start, stop, corrections, *_) in enumerate(gold):
        bit, first = 0, 0
        if start == stop:
            bit, first = 1 << number, equal.get((start, corrections), 0)
            equal[start, corrections] = bit
        fitting = []
        for j in positions[start]:
            for words in corrections:
                last = stop, j + len(words)
                is_there = last[1] in positions[stop] and correction[j : last[1]] == words
                if is_there and _is_edit(steps, (start, j), last, most_kept):
                    arcs[start, j].append((last, number, bit, first))
                    fitting.append(j)
        for j in positions[start]:
            if bit and j <= max(fitting, default=-1):
                reusable[start, j] |= bit
    return arcs, reusable


def _is_edit(steps: Steps, first: Node, last: Node, most_kept: int) -> bool:
    """Whether a walk between two nodes changes something and keeps few words."""
    reached = {(first, 0, False)}  # node, kept words, whether something has changed
    ahead = list(reached)
    while ahead:
        node, n_kept, has_changed = ahead.pop()
        if node == last and has_changed:
            return True
        for after, changes in steps.get(node, ()):
            state = after, n_kept + (not changes), has_changed or changes
            is_inside = after[0] <= last[0] and after[1] <= last[1]
            if is_inside and state[1] <= most_kept and state not in reached:
                reached.add(state)
                ahead.append(state)
    return False


def align(source: Words, correction: Words) -> Steps:
    """The steps of all best alignments, substitutions costing 1 or, in others, 2."""
    end = len(source), len(correction)
    steps: dict[Node, set[tuple[Node, bool]]] = defaultdict(set)
    for substitution in (1, 2):
        distances = _distances(source, correction, substitution)
        ahead, reached = [end], {end}
        while ahead:
            node = ahead.pop()
            i, j = node
            befores = [((i - 1, j), True, 1), ((i, j - 1), True, 1)]
            if i and j:
                changes = source[i - 1] != correction[j - 1]
                befores.append(((i - 1, j - 1), changes, changes * substitution))
            for before, changes, cost in befores:
                if distances.get(before) == distances[node] - cost:
                    steps[before].add((node, changes))
                    if before not in reached:
                        reached.add(before)
                        ahead.append(before)
    return steps


def _distances(source: Words, correction: Words, substitution: int) -> dict[Node, int]:
    """The edit distances of nodes from (0, 0), of all nodes on the best paths and of some others.

    The A* algorithm: it visits nodes in the order of what paths through them cost at least, the
    distance so far and that of the numbers of words that are left.
    """
    n_source, n_corrected = end = len(source), len(correction)
    surplus = n_source - n_corrected
    distances: dict[Node, int] = {}
    ahead: dict[int, list[Node]] = defaultdict(list)  # by cost
    ahead[abs(surplus)].append((0, 0))
    for cost in count(abs(surplus)):
        nodes = ahead[cost]
        while nodes:
            node = i, j = nodes.pop()
            if node in distances:
                continue
            if len(distances) == _MOST_NODES:
                raise ValueError(
                    f"a text of {n_source:,} words and its correction of {n_corrected:,} are too "
                    "different to be aligned; split them into sentences"
                )
            left = surplus - (i - j)  # how many more words of the source are left
            distances[node] = cost - abs(left)
            if i < n_source and j < n_corrected:
                changes = source[i] != correction[j]
                ahead[cost + changes * substitution].append((i + 1, j + 1))
            if i < n_source:
                ahead[cost if left > 0 else cost + 2].append((i + 1, j))
            if j < n_corrected:
                ahead[cost if left < 0 else cost + 2].append((i, j + 1))
        if end in distances:
            break
    return distances
