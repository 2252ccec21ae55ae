// Readers guess the answer of a post before they see it, on its page and in lists. Without this script its fold opens by hand.
(() => {
  "use strict";
  const kept = []; // whether the reader has guessed, also when turn.js has exchanged the article
  const begin = (controls, place) => {
    if (!controls.hidden) return;
    controls.hidden = false;
    const { answer, unit } = controls.dataset;
    const fold = controls.previousElementSibling, said = controls.querySelector("[role=status]");
    const range = controls.querySelector("input[type=range]");
    const follow = () => {
      if (!range) return;
      range.nextElementSibling.textContent = range.value + unit;
      range.setAttribute("aria-valuetext", range.value + unit);
    };
    controls.oninput = follow;
    controls.querySelector("button").onclick = () => {
      const guess = (range ?? controls.querySelector(":checked"))?.value;
      if (guess) kept[place] = fold.open = true;
      const verdict = guess === answer ? ", and so it is." : `; it is ${answer + unit}.`;
      said.textContent = guess ? `You said ${guess + unit}${verdict}` : "Choose one first.";
    };
    if (kept[place]) fold.open = true; // at another setting nothing was guessed: its answer is shown alone
    follow(); // a browser may keep the place of a slider when the page is loaded again
  };
  const all = () => document.querySelectorAll(".guess-with").forEach(begin);
  all();
  document.addEventListener("turned", all); // by turn.js: a new answer
})();
