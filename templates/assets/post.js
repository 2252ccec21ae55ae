// Folds, margin notes and formulas of a post. Nothing is missing without this script: folds open by hand, notes are
// below their paragraphs, and formulas cannot be copied as TeX.
(function () {
  "use strict";

  // Folds and tabs: opened by links to their content, folds also for print, in browsers that do not do so themselves.
  function reveal() {
    var target = null, moved = false;
    try {
      target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch { /* not an address of this site */ }
    for (var fold = target && target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      moved = moved || !fold.open;
      fold.open = true;
    }
    for (var tab = target && target.closest(".tabbed-content"); tab; tab = tab.parentElement.closest(".tabbed-content")) {
      moved = moved || !tab.offsetHeight;
      tab.previousElementSibling.previousElementSibling.checked = true;
    }
    if (moved) target.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  document.addEventListener("click", function (event) {
    var link = event.target.closest('a[href*="#"]');
    if (link && link.href === location.href) setTimeout(reveal); // same address, so there is no hashchange event
  });
  reveal();

  var opened = [];
  addEventListener("beforeprint", function () {
    opened = Array.from(document.querySelectorAll("details:not([open])"));
    opened.forEach(function (fold) { fold.open = true; });
  });
  addEventListener("afterprint", function () {
    opened.forEach(function (fold) { fold.open = false; });
    opened = [];
  });

  // Margin notes come after their paragraphs: move each up to its reference, but below the previous note.
  var notes = [];
  function collect() {
    notes = Array.from(document.querySelectorAll(".sidenote"), function (note) {
      return { note: note, reference: document.getElementById("fnref:" + note.lastElementChild.id.slice(3)) };
    });
  }
  var broad = matchMedia("(min-width: 72rem)"); // narrower windows have no margin column, so nothing is measured
  function raise() {
    var lowest = -Infinity;
    notes.forEach(function (each) { each.note.style.marginBlockStart = ""; });
    if (!broad.matches) return;
    notes.forEach(function (each) {
      if (getComputedStyle(each.note).float === "none" || !each.note.offsetHeight) return;
      var top = each.note.getBoundingClientRect().top;
      var wanted = Math.max(each.reference.getBoundingClientRect().top - 4, lowest);
      var margin = parseFloat(getComputedStyle(each.note).marginBlockStart);
      each.note.style.marginBlockStart = Math.round(margin + wanted - top) + "px";
      lowest = each.note.getBoundingClientRect().bottom + 16;
    });
  }
  collect();
  if (notes.length) {
    raise();
    document.addEventListener("turned", function () { // by turn.js: a new article
      collect();
      raise();
    });
    addEventListener("resize", raise);
    addEventListener("load", raise);
    document.addEventListener("toggle", raise, true);
    if (document.fonts) document.fonts.ready.then(raise);
  }

  // Displayed formulas: buttons that copy their TeX.
  var said = null;
  function copied(text) {
    var area = document.createElement("textarea"), focused = document.activeElement;
    area.value = text;
    area.className = "unseen";
    document.body.append(area);
    area.select();
    var done = false;
    try {
      done = document.execCommand("copy");
    } catch { /* reported below */ }
    area.remove();
    focused.focus();
    return done;
  }
  function copy(text) {
    if (!navigator.clipboard) return Promise.resolve(copied(text));
    return navigator.clipboard.writeText(text).then(function () { return true; }, function () { return copied(text); });
  }
  function tell(button, words) {
    button.textContent = said.textContent = words;
    setTimeout(function () {
      button.textContent = "Copy TeX";
      said.textContent = "";
    }, 2000);
  }
  function offer(math) {
    var tex = math.querySelector('annotation[encoding="application/x-tex"]');
    if (!tex) return;
    var holder = document.createElement("div"), button = document.createElement("button");
    holder.className = "copy-tex";
    button.type = "button";
    button.textContent = "Copy TeX";
    button.setAttribute("aria-label", "Copy TeX of " + math.getAttribute("alttext"));
    button.addEventListener("click", function () {
      copy(tex.textContent).then(function (done) { tell(button, done ? "Copied" : "Not copied"); });
    });
    holder.append(button);
    math.after(holder);
  }
  function offerAll(formulas) {
    if (!formulas.length || !(navigator.clipboard || document.execCommand)) return;
    if (!said) {
      said = document.createElement("p");
      said.className = "unseen";
      said.setAttribute("role", "status");
      document.querySelector("main").append(said);
    }
    formulas.forEach(offer);
  }
  var shown = '.prose math[display="block"]';
  offerAll(Array.from(document.querySelectorAll(shown)));
  document.addEventListener("turned", function (event) { // by turn.js: new blocks
    offerAll(event.detail.flatMap(function (block) {
      return block.matches(shown) ? [block] : Array.from(block.querySelectorAll(shown));
    }));
  });
})();
