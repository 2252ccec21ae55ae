// Readers guess the answer of a post before they see it, on its page and in lists. Without this script its fold opens by hand.
(() => {
  "use strict";
  const kept = []; // the guesses of the reader, also when turn.js has exchanged the article
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
    const say = (guess) => {
      fold.open = true;
      said.textContent = guess === answer
        ? `You said ${guess}${unit}, and so it is.` : `You said ${guess}${unit}; it is ${answer}${unit}.`;
    };
    controls.oninput = follow;
    controls.querySelector("button").onclick = () => {
      kept[place] = (range ?? controls.querySelector(":checked"))?.value;
      if (kept[place]) say(kept[place]);
      else said.textContent = "Choose one first.";
    };
    if (kept[place]) {
      if (range) range.value = kept[place];
      say(kept[place]);
    }
    follow(); // a browser may keep the place of a slider when the page is loaded again
  };
  const all = () => document.querySelectorAll(".guess-with").forEach(begin);
  all();
  document.addEventListener("turned", all); // by turn.js: a new answer
})();
