// Long pages: marks the section in view in the table of contents, opens it beside the text, makes boxes that scroll, and
// no others, reachable by keyboard in every browser, and copies formulas as text. Optional: pages work without it.
(() => {
  "use strict";
  const named = (address) => {
    try {
      return document.getElementById(decodeURIComponent(address));
    } catch {
      return null; // a lone % is not a valid escape
    }
  };
  const links = new Map(); // of the table of contents, by heading
  let contents, headings;
  const begin = () => {
    contents = document.querySelector(".contents details");
    links.clear();
    for (const link of document.querySelectorAll(".contents a")) {
      const heading = document.getElementById(link.getAttribute("href").slice(1)) ?? named(link.hash.slice(1));
      if (heading) links.set(heading, link);
    }
    headings = [...links.keys()];
    contents?.addEventListener("click", (event) => {
      if (event.target.closest("a") && !isBeside()) contents.open = false; // it would cover the target
    });
  };

  const mark = () => {
    const line = innerHeight / 3;
    const here = headings.findLast((heading) => heading.getBoundingClientRect().top <= line);
    for (const [heading, link] of links) {
      if (heading === here) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
  };

  const reach = () => {
    for (const box of document.querySelectorAll(".prose :is(pre, math[display=block], table, .scroll)")) {
      const { overflowX, overflowY } = getComputedStyle(box); // fractions are a pixel higher than their box
      const scrolls = (box.scrollWidth > box.clientWidth && overflowX === "auto")
        || (box.scrollHeight > box.clientHeight && overflowY === "auto");
      if (!scrolls) box.removeAttribute("tabindex");
      else if (!box.parentElement.closest('[tabindex="0"]')) box.tabIndex = 0;
    }
  };

  const isBeside = () =>
    contents && innerWidth > 1100 && getComputedStyle(contents.parentElement).position === "sticky";
  const unfold = () => {
    if (isBeside()) contents.open = true;
  };
  const arrange = () => {
    unfold();
    reach();
    mark();
  };

  // MathML is copied with each symbol on a line of its own, so that formulas are replaced by their text.
  document.addEventListener("copy", (event) => {
    const chosen = getSelection();
    if (!chosen.rangeCount || chosen.isCollapsed || event.target.closest?.("input, textarea")) return;
    const range = chosen.getRangeAt(0).cloneRange();
    const around = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest("math");
    const [first, last] = [around(range.startContainer), around(range.endContainer)];
    if (first && first === last) return; // a part of one formula
    if (first) range.setStartBefore(first);
    if (last) range.setEndAfter(last);
    const copy = document.createElement("div");
    copy.append(range.cloneContents());
    const formulas = copy.querySelectorAll("math[alttext]");
    if (!formulas.length) return;
    for (const formula of formulas) {
      const isBlock = formula.getAttribute("display") === "block";
      const words = document.createElement(isBlock ? "p" : "span");
      words.textContent = formula.getAttribute("alttext");
      formula.replaceWith(words);
    }
    for (const button of copy.querySelectorAll("button, .headerlink")) button.remove();
    copy.style.cssText = "position: absolute; inset-inline-start: -99999px";
    document.body.append(copy); // innerText has lines only of what is laid out
    event.clipboardData.setData("text/plain", copy.innerText);
    copy.removeAttribute("style");
    event.clipboardData.setData("text/html", copy.innerHTML);
    copy.remove();
    event.preventDefault();
  });

  const once = (act) => {
    let isWaiting = false;
    return () => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        act();
      });
    };
  };
  addEventListener("scroll", once(mark), { passive: true });
  addEventListener("resize", once(arrange));
  document.addEventListener("toggle", once(reach), true); // what was folded had no width
  begin();
  unfold();
  document.addEventListener("turned", () => { // by turn.js: a new article
    begin();
    arrange();
  });
  addEventListener("load", () => setTimeout(arrange)); // measure after the first paint
  document.fonts?.addEventListener("loadingdone", once(reach)); // and what a font makes narrower
})();
