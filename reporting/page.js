// Sorts tables, highlights curves and shows the sentences of one pair of systems. The page is complete without it.
"use strict";

function sortBy(table, column, heading) {
  const body = table.tBodies[0];
  const key = (row) => row.cells[column].dataset.value;
  const isNumeric = [...body.rows].every((row) => Number.isFinite(Number(key(row))));
  const up = heading.ariaSort ? heading.ariaSort === "descending" : !isNumeric;
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

for (const choice of document.querySelectorAll(".choice.highlight")) {
  const curves = [...choice.nextElementSibling.querySelectorAll(".curve")];
  const always = curves.filter((curve) => !curve.dataset.curve);
  choice.querySelector("select").addEventListener("change", (event) => {
    const chosen = curves.filter((curve) => curve.dataset.curve === event.target.value);
    for (const curve of curves) curve.classList.add("grey");
    for (const curve of [...always, ...chosen]) {
      curve.classList.remove("grey");
      curve.parentElement.append(curve); // covers those before
    }
  });
  choice.hidden = false;
}

for (const choice of document.querySelectorAll(".choice.pair")) {
  const select = choice.querySelector("select");
  const pairs = choice.parentElement.querySelectorAll("details[data-pair]");
  const show = () => pairs.forEach((pair, index) => {
    pair.open = index === select.selectedIndex;
    pair.hidden = !pair.open;
  });
  select.addEventListener("change", show);
  choice.hidden = false;
  show();
}
