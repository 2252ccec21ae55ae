// Games to play: when a reader begins, the board and the data of the game are loaded.
(() => {
"use strict";
const board = new URL("later/board.js", document.currentScript.src).href;
const all = "figure.play";
const loading = {};
const load = (address) => (loading[address] ??= new Promise((resolve, reject) => {
  const script = document.createElement("script");
  script.src = address;
  script.onload = resolve;
  script.onerror = () => {
    delete loading[address]; // to be tried again
    reject();
  };
  document.head.append(script);
}));

// The game that a tab was playing on a board, kept until it is closed. place: that of the board among those of the page.
const memoryOf = (figure) => {
  const place = [...document.querySelectorAll(all)].indexOf(figure);
  const key = `game ${location.pathname} ${figure.dataset.board} ${place}`;
  return {
    seed: place ? `seed${place + 1}` : "seed", // in the address
    load: () => {
      try {
        return JSON.parse(sessionStorage.getItem(key));
      } catch {
        return null;
      }
    },
    save: (game) => {
      try {
        sessionStorage.setItem(key, JSON.stringify(game));
      } catch { /* a browser that keeps nothing */ }
    },
  };
};

const begin = (figure) => {
  const opening = figure.querySelector(".begin button"), memory = memoryOf(figure);
  const open = async (isAsked) => {
    opening.disabled = true;
    try {
      await Promise.all([load(board), load(figure.dataset.script)]);
    } catch {
      opening.disabled = false;
      opening.textContent = "Play (it could not be loaded; try again)";
      return;
    }
    const data = window.boards[figure.dataset.board], made = window.boardOf(data, memory);
    for (const each of Object.entries(data.colours)) made.element.style.setProperty(...each);
    const hadFocus = document.activeElement === document.body || document.activeElement === opening;
    opening.parentElement.replaceWith(made.element);
    made.start();
    if (isAsked && hadFocus) made.focus();
  };
  opening?.addEventListener("click", () => open(true));
  if (opening && memory.load()) open(false); // the page was loaded again in the middle of a game
};

document.querySelectorAll(all).forEach(begin);
document.addEventListener("turned", (event) => { // by turn.js: new blocks
  for (const block of event.detail) (block.matches(all) ? [block] : block.querySelectorAll(all)).forEach(begin);
});
})();
