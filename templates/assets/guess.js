// Readers guess the answer of a post before they see it, on its page and in lists. Without this script its fold opens by hand.
(() => {
  "use strict";
  const kept = []; // the guesses of the reader and the pages they were made on, also when turn.js has exchanged the article
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
      said.textContent = guess === answer
        ? `You said ${guess}${unit}, and so it is.` : `You said ${guess}${unit}; it is ${answer}${unit}.`;
    };
    controls.oninput = follow;
    controls.querySelector("button").onclick = () => {
      const guess = (range ?? controls.querySelector(":checked"))?.value;
      if (!guess) {
        said.textContent = "Choose one first.";
        return;
      }
      kept[place] = { guess, path: location.pathname };
      fold.open = true;
      say(guess);
    };
    if (kept[place]) { // at another setting nothing was guessed: its answer is shown alone
      const { guess, path } = kept[place];
      fold.open = true;
      if (range) range.value = guess;
      if (path === location.pathname) say(guess);
    }
    follow(); // a browser may keep the place of a slider when the page is loaded again
  };
  const all = () => document.querySelectorAll(".guess-with").forEach(begin);
  all();
  document.addEventListener("turned", all); // by turn.js: a new answer
})();
