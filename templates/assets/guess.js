// Readers guess the answer of a post before they see it, on its page and in lists. Without this script its fold opens by hand.
(() => {
  "use strict";
  const guesses = []; // of the reader, also when turn.js has exchanged the article
  const begin = (controls, place) => {
    if (!controls.hidden) return;
    controls.hidden = false;
    let kept = guesses[place];
    const { answer, unit } = controls.dataset;
    const fold = controls.previousElementSibling, said = controls.querySelector("[role=status]");
    const range = controls.querySelector("input[type=range]");
    const guessed = () => (range ?? controls.querySelector(":checked"))?.value;
    const follow = () => {
      if (!range) return;
      range.nextElementSibling.textContent = range.value + unit;
      range.setAttribute("aria-valuetext", range.value + unit);
    };
    const say = () => {
      fold.open = true;
      said.textContent = `You said ${kept}${unit}${kept === answer ? ", and so it is" : `; it is ${answer}${unit}`}.`;
    };
    controls.oninput = follow;
    controls.querySelector("button").onclick = () => {
      kept = guesses[place] = guessed();
      if (kept === undefined) said.textContent = "Choose one first.";
      else say();
    };
    if (kept !== undefined) {
      if (range) range.value = kept;
      say();
    }
    follow(); // a browser may keep the place of a slider when the page is loaded again
  };
  const all = () => document.querySelectorAll(".guess-with").forEach(begin);
  all();
  document.addEventListener("turned", all); // by turn.js: a new answer
})();
