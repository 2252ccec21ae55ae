// Light or dark: as the system has it, until a reader presses the switch. It runs before anything is painted, so that
// nothing flashes; without it pages follow the system and the switch is not shown.
(() => {
  "use strict";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  let kept = null; // what the reader chose, where the browser lets nothing be remembered

  const remembered = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return kept; // a page from disk, or storage refused
    }
  };

  const remember = (choice) => {
    kept = choice;
    try {
      if (choice) localStorage.setItem("theme", choice);
      else localStorage.removeItem("theme");
    } catch {
      // it holds for this page alone
    }
  };

  const show = () => {
    const choice = ["light", "dark"].find((scheme) => scheme === remembered());
    if (choice) root.dataset.theme = choice;
    else delete root.dataset.theme;
    document.querySelector('meta[name="color-scheme"]').content = choice || "light dark";
    for (const each of document.querySelectorAll('meta[name="theme-color"]')) {
      const own = each.dataset.scheme;
      each.media = choice ? (own === choice ? "all" : "not all") : `(prefers-color-scheme: ${own})`;
    }
    const isDark = choice ? choice === "dark" : system.matches;
    document.querySelector(".theme-switch")?.setAttribute("aria-pressed", isDark);
    return isDark;
  };

  root.dataset.scripts = ""; // the switch has its place from the first line on
  show();
  system.addEventListener("change", show);
  addEventListener("storage", show); // pressed on another page
  addEventListener("pageshow", show); // or since this one was left
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".theme-switch")) return;
    const wanted = show() ? "light" : "dark";
    remember((wanted === "dark") === system.matches ? null : wanted); // what the system has needs no remembering
    show();
  });
})();
