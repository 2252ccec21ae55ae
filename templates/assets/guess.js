// Readers guess the answer of a post before they see it, on its page and in lists. Without this script its fold opens by hand.
(() => {
  "use strict";
  const kept = []; // what was said of guesses, by setting, also when turn.js has exchanged the article
  const begin = (controls, place) => {
    if (!controls.hidden) return;
    controls.hidden = false;
    const { answer, unit } = controls.dataset;
    const fold = controls.previousElementSibling, said = controls.querySelector("[role=status]");
    const range = controls.querySelector("input[type=range]");
    const follow = () => {
      if (!range) return;
      range.nextElementSibling.textContent = range.ariaValueText = range.value + unit;
    };
    controls.oninput = follow;
    controls.querySelector("button").onclick = () => {
      const guess = (range ?? controls.querySelector(":checked"))?.value;
      const verdict = guess === answer ? ", and so it is." : `; it is ${answer + unit}.`;
      said.textContent = guess ? `You said ${guess + unit}${verdict}` : "Choose one first.";
      if (!guess) return;
      fold.open = true;
      (kept[place] ??= {})[location] = said.textContent;
    };
    if (kept[place]) {
      fold.open = true;
      said.textContent = kept[place][location] ?? ""; // nothing at a setting without a guess
    }
    follow(); // a browser may keep the place of a slider when the page is loaded again
  };
  const all = () => document.querySelectorAll(".guess-with").forEach(begin);
  all();
  document.addEventListener("turned", all); // by turn.js: a new answer
})();
