// Readers guess the answer of a post before they see it. Without this script its fold opens by hand.
(() => {
  "use strict";
  const begin = (controls) => {
    if (!controls.hidden) return;
    controls.hidden = false;
    const { answer, unit } = controls.dataset;
    const fold = controls.previousElementSibling, said = controls.querySelector("[role=status]");
    const range = controls.querySelector("input[type=range]");
    const guessed = () => (range ?? controls.querySelector(":checked"))?.value;
    const follow = () => {
      if (!range) return;
      range.nextElementSibling.textContent = range.value + unit;
      range.setAttribute("aria-valuetext", range.value + unit);
    };
    controls.addEventListener("input", follow);
    follow(); // a browser may keep the place of a slider when the page is loaded again
    controls.querySelector("button").addEventListener("click", () => {
      const guess = guessed();
      if (guess === undefined) {
        said.textContent = "Choose one first.";
        return;
      }
      fold.open = true;
      said.textContent = guess === answer
        ? `You said ${guess}${unit}, and so it is.` : `You said ${guess}${unit}; it is ${answer}${unit}.`;
    });
  };
  const all = () => document.querySelectorAll(".guess-with").forEach(begin);
  all();
  document.addEventListener("turned", all); // by turn.js: a new answer
})();
