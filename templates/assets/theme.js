// Light or dark mode: the system's, until a reader presses the switch. It runs before the first paint, so that no page
// flashes in the wrong colours; without it pages follow the system and the switch is hidden.
(() => {
  "use strict";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  let kept = null; // the reader's choice, if the browser cannot store it

  const remembered = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return kept; // a page from disk, or storage is blocked
    }
  };

  const remember = (choice) => {
    kept = choice;
    try {
      if (choice) localStorage.setItem("theme", choice);
      else localStorage.removeItem("theme");
    } catch {
      // not stored: the choice applies to this page alone
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

  // The fonts of the text are loaded with the stylesheets, not after them, so that the first paint has them. Not for pages
  // opened from disk, where browsers report an error.
  if (location.protocol !== "file:") {
    for (const href of Object.values(document.currentScript.dataset)) {
      const face = { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href };
      document.head.append(Object.assign(document.createElement("link"), face));
    }
  }

  root.dataset.scripts = ""; // reserves the place of the switch before the first paint
  show();
  system.addEventListener("change", show);
  addEventListener("storage", show); // changed in another tab
  addEventListener("pageshow", show); // or before a return by the back button
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".theme-switch")) return;
    const wanted = show() ? "light" : "dark";
    remember((wanted === "dark") === system.matches ? null : wanted); // the system's own mode is not stored
    show();
  });
})();
