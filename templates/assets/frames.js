// Figures with steps: shows one step at a time, with controls. Without this script all steps are there, as on paper.
(() => {
"use strict";
const begin = (figure) => {
  const steps = [...figure.querySelectorAll(".strip > li")];
  const controls = figure.querySelector(".stepper");
  if (steps.length < 2 || !controls) return;
  const [back, forth] = controls.querySelectorAll("[data-step]");
  const playing = controls.querySelector("[data-play]");
  const range = controls.querySelector("input");
  const said = controls.querySelector(".shown-step");
  const last = steps.length - 1;
  let at = 0, timer = 0, isWhole = false;

  const near = () => figure.classList.add("near"); // its other steps are loaded
  addEventListener("scroll", near, { once: true, passive: true });
  controls.addEventListener("pointerenter", near);
  controls.addEventListener("focusin", near);

  function show(step) {
    at = step;
    isWhole = false;
    steps.forEach((each, place) => each.classList.toggle("shown", place === at));
    const label = steps[at].querySelector(".step").textContent.trim();
    range.value = at;
    range.setAttribute("aria-valuetext", label);
    said.textContent = `${label} (${at + 1} of ${steps.length})`;
    figure.dispatchEvent(new Event("stepped"));
    back.setAttribute("aria-disabled", at === 0); // a disabled button would lose the focus
    forth.setAttribute("aria-disabled", at === last);
  }

  // The last step, before anybody has asked for another one: the next is the first.
  function showWhole() {
    show(last);
    isWhole = true;
    said.textContent = `All ${steps.length} steps`;
    forth.setAttribute("aria-disabled", false);
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    playing.textContent = "Step by step";
    said.setAttribute("aria-live", "polite");
  }

  // After 3 s, or as long as the words of the step take to be read.
  function next() {
    timer = setTimeout(() => {
      show(at + 1);
      if (at === last) stop();
      else next();
    }, Math.max(3000, 70 * said.textContent.length));
  }

  function go(step) {
    stop();
    show(Math.min(Math.max(step, 0), last));
  }

  playing.addEventListener("click", () => {
    if (timer) {
      stop();
      return;
    }
    said.setAttribute("aria-live", "off"); // it would not be read to the end before the next step
    if (at === last) show(0);
    playing.textContent = "Pause";
    next();
  });
  back.addEventListener("click", () => go(at - 1));
  forth.addEventListener("click", () => go(isWhole ? 0 : at + 1));
  range.addEventListener("input", () => go(Number(range.value)));

  figure.classList.add("stepped");
  controls.hidden = false;
  stop();
  if (figure.querySelector(":scope details .strip")) show(0);
  else showWhole();
};
const all = "figure.frames";
document.querySelectorAll(all).forEach(begin);
document.addEventListener("turned", (event) => { // by turn.js: new blocks
  for (const block of event.detail) (block.matches(all) ? [block] : block.querySelectorAll(all)).forEach(begin);
});
})();
