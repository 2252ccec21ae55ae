// Readers guess the answer of a post before they see it, on its page and in lists. Without this script its fold opens by hand.
(() => {
  "use strict";
  const kept = []; // guesses by the path of their setting, also when turn.js has exchanged the article
  const begin = (controls, place) => {
    if (!controls.hidden) return;
    controls.hidden = false;
    const { answer, unit } = controls.dataset;
    const fold = controls.previousElementSibling, said = controls.querySelector("[role=status]");
    const range = controls.querySelector("[type=range]");
    const say = (guess) => {
      fold.open = true;
      if (!guess) return; // at a setting without one
      said.textContent = `You said ${guess + unit}` + (guess === answer ? ", and so it is." : `; it is ${answer + unit}.`);
      if (range) range.value = guess;
    };
    controls.querySelector("button").onclick = () => {
      const guess = (range ?? controls.querySelector(":checked"))?.value;
      if (guess) say((kept[place] ??= {})[location.pathname] = guess);
      else said.textContent = "Choose one.";
    };
    if (kept[place]) say(kept[place][location.pathname]);
    const follow = () => {
      if (range) range.nextElementSibling.textContent = range.ariaValueText = range.value + unit;
    };
    controls.oninput = follow;
    follow(); // a browser may keep the place of a slider when the page is loaded again
  };
  const all = () => document.querySelectorAll(".guess-with").forEach(begin);
  all();
  document.addEventListener("turned", all); // by turn.js: a new answer
})();
