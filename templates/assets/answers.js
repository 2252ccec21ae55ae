// Sorts tables with data-sortable by a click on a column head: ascending, then descending.
"use strict";
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const words = new Intl.Collator(document.documentElement.lang, { numeric: true, sensitivity: "base" });
  const key = (row, column) => row.cells[column].dataset.sort ?? row.cells[column].textContent.trim();

  function sort(column) {
    const head = heads[column];
    const isNumeric = head.classList.contains("numeric");
    const isDown = head.ariaSort ? head.ariaSort === "ascending" : isNumeric; // large numbers first
    const rows = [...body.rows].sort((a, b) => {
      const [left, right] = [key(a, column), key(b, column)];
      if (left === "" || right === "") return (left === "") - (right === ""); // empty cells last
      return (isDown ? -1 : 1) * (isNumeric ? left - right : words.compare(left, right));
    });
    for (const each of heads) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
    body.append(...rows);
  }

  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(column));
    head.append(button);
  });
}
