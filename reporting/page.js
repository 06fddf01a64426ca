// Sorts tables and shows the sentences of one pair of systems; the page is complete without it.
"use strict";

function sortBy(table, column, heading) {
  const up = heading.ariaSort === "descending" || (!heading.ariaSort && "up" in heading.dataset);
  const body = table.tBodies[0];
  const key = (row) => row.cells[column].dataset.value;
  const isNumeric = [...body.rows].every((row) => Number.isFinite(Number(key(row))));
  const compare = (one, other) => {
    if (key(one) === "" || key(other) === "") return (key(one) === "") - (key(other) === "");
    const order = isNumeric
      ? key(one) - key(other)
      : key(one).localeCompare(key(other), undefined, {numeric: true});
    return up ? order : -order;
  };
  body.append(...[...body.rows].sort(compare));
  for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
  heading.ariaSort = up ? "ascending" : "descending";
}

function addButtons(table) {
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    const button = document.createElement("button");
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sortBy(table, column, heading));
    heading.append(button);
  });
}

document.querySelectorAll("table.sortable").forEach(addButtons);

for (const choice of document.querySelectorAll(".choice")) {
  const parts = [...choice.parentElement.querySelectorAll("details[data-pair]")];
  const selects = [...choice.querySelectorAll("select")];
  const show = () => {
    const pair = selects.map((select) => Number(select.value)).sort((a, b) => a - b).join("-");
    choice.querySelector("[role=status]").hidden = selects[0].value !== selects[1].value;
    for (const part of parts) part.hidden = !(part.open = part.dataset.pair === pair);
  };
  for (const select of selects) select.addEventListener("change", show);
  choice.hidden = false;
  show();
}
