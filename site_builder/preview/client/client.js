// The preview's part of a page: it listens for news of the page and shows them. The page itself stays as a build would
// write it: all that is shown stands in an element of its own, which no stylesheet of the page can reach.
(() => {
  "use strict";
  const { path, digest: served } = document.currentScript.dataset;
  const isHolding = document.body.className === "holding";
  const PLACE = "preview-place"; // in the session's storage: where the reader was
  const FOLDED = "preview-folded"; // ... and that the errors have been folded away
  const RETRY = 1000; // milliseconds
  const HIDDEN = 5000; // between two questions of a page that nobody looks at
  const SILENCE = 30000; // after which a stream is taken for dead; it beats every 10 seconds
  let digest = served;
  let isLeaving = false;

  const remembered = {
    get(key) {
      try {
        return sessionStorage.getItem(key);
      } catch {
        return null; // storage refused
      }
    },
    set(key, value) {
      try {
        if (value) sessionStorage.setItem(key, value);
        else sessionStorage.removeItem(key);
      } catch {
        // the page begins at its top, then
      }
    },
  };

  // Where the reader is: the blocks in view and how far each is from the top, so that a change above moves nothing.

  const BLOCKS = "h1, h2, h3, h4, h5, h6, p, li, dt, dd, pre, figure, table, blockquote, summary, math[display=block], img";
  const nameOf = (block) => `${block.tagName} ${block.id} ${(block.textContent || block.src || "").trim().slice(0, 160)}`;

  const named = (blocks, name) => {
    const found = new Map();
    for (const block of blocks) {
      const key = name(block);
      if (found.has(key)) found.get(key).push(block);
      else found.set(key, [block]);
    }
    return found;
  };

  const blocks = () => named(document.querySelectorAll(`body :is(${BLOCKS})`), nameOf);
  const folds = () => named(document.querySelectorAll("body details"), (fold) => nameOf(fold.firstElementChild ?? fold));

  const whereabouts = () => {
    const inView = [];
    let above = null; // the nearest heading above, for a page on which all that is in view will be other
    for (const [name, same] of blocks()) {
      same.forEach((block, nth) => {
        const { top, bottom, height } = block.getBoundingClientRect();
        const anchor = { name, nth, of: same.length, top };
        if (height && bottom > 0 && top < innerHeight) inView.push(anchor);
        else if (block.id && bottom <= 0 && (!above || top > above.top)) above = anchor;
      });
    }
    inView.sort((one, other) => Math.abs(one.top - innerHeight / 4) - Math.abs(other.top - innerHeight / 4));
    const open = [...folds()].flatMap(([name, same]) => same.map((fold, nth) => ({ name, nth, open: fold.open })));
    const anchors = [...inView.slice(0, 40), ...(above ? [above] : [])];
    return { page: location.pathname + location.search, x: scrollX, y: scrollY, anchors, open };
  };

  const goTo = ({ x, y, anchors }) => {
    if (y > 0) {
      const now = blocks();
      const same = (anchor) => now.get(anchor.name)?.length === anchor.of;
      const anchor = anchors.find(same) ?? anchors.find(({ name, nth }) => now.get(name)?.[nth]);
      if (anchor) y = scrollY + now.get(anchor.name)[anchor.nth].getBoundingClientRect().top - anchor.top;
    }
    if (Math.abs(y - scrollY) >= 1 || x !== scrollX) scrollTo({ left: x, top: y, behavior: "instant" });
  };

  const comeBack = () => {
    const place = JSON.parse(remembered.get(PLACE) ?? "null");
    remembered.set(PLACE, "");
    if (!place || place.page !== location.pathname + location.search) return;
    const now = folds();
    for (const { name, nth, open } of place.open) {
      const fold = now.get(name)?.[nth];
      if (fold) fold.open = open;
    }
    let hasMoved = false;
    const moved = () => (hasMoved = true);
    for (const kind of ["wheel", "touchmove", "keydown", "mousedown"]) {
      addEventListener(kind, moved, { once: true, passive: true });
    }
    const again = () => hasMoved || goTo(place);
    again();
    document.addEventListener("DOMContentLoaded", again);
    addEventListener("load", () => {
      again();
      requestAnimationFrame(() => {
        again();
        history.scrollRestoration = "auto";
      });
    });
  };

  const reload = () => {
    if (isLeaving) return;
    isLeaving = true;
    remembered.set(PLACE, JSON.stringify(whereabouts()));
    history.scrollRestoration = "manual";
    location.reload();
  };

  // What is shown: a pill at the foot of the window, and errors over the page.

  const host = document.createElement("puzzlepress-preview");
  const shadow = host.attachShadow({ mode: "open" });
  shadow.innerHTML = `
    <link rel="stylesheet" href="/.preview/client.css">
    <div class="foot">
      <p class="pill" role="status" hidden><span class="sign"></span><span class="said"></span></p>
      <button class="pill" type="button" aria-haspopup="dialog" hidden>
        <span class="sign"></span><span class="said"></span></button>
    </div>
    <dialog role="alertdialog" aria-labelledby="title" aria-describedby="lead">
      <div class="head">
        <h1 id="title" tabindex="-1" autofocus></h1>
        <button class="fold" type="button">Show the page <kbd>Esc</kbd></button>
      </div>
      <p class="lead" id="lead">The page below is the last good one. It comes back by itself once no error is left.</p>
      <ol class="errors"></ol>
    </dialog>`;
  const [pill, button] = shadow.querySelectorAll(".pill");
  const dialog = shadow.querySelector("dialog");
  const list = dialog.querySelector(".errors");
  const dressed = new Promise((resolve) => {
    const sheet = shadow.querySelector("link");
    for (const kind of ["load", "error"]) sheet.addEventListener(kind, resolve);
  });
  let news = null; // the last that was told
  let isGone = false;
  let later = 0;

  const pillFor = () => {
    if (isGone) return ["gone", "The preview has stopped.", "This page goes on when it runs again."];
    if (!news || isHolding) return null;
    if (news.late) return ["late", `Recomputing: ${news.late}\u00a0…`, "Until then the numbers shown are the old ones."];
    if (news.working) return ["working", `${news.working}\u00a0…`, ""];
    return null;
  };

  const put = (text, parts) => {
    text.replaceChildren(...parts.filter(Boolean).map((part) => Object.assign(document.createElement("span"), { textContent: part })));
  };

  const showPill = () => {
    const wanted = button.hidden ? pillFor() : null;
    pill.hidden = !wanted;
    if (!wanted) return;
    const [kind, ...parts] = wanted;
    pill.dataset.kind = kind;
    put(pill.querySelector(".said"), parts);
  };

  const title = () => (news.count ? `${news.count} to correct` : "This page is being made");

  const doing = () => {
    if (news.count) return "The page comes by itself when nothing stands in the way any more.";
    const words = news.late || news.working;
    return words ? `${words[0].toUpperCase()}${words.slice(1)}\u00a0…` : "The page comes by itself as soon as it is there.";
  };

  const showFaults = () => {
    const { count, errors } = news;
    if (!count) remembered.set(FOLDED, "");
    if (list.dataset.now !== errors) {
      list.dataset.now = errors;
      list.innerHTML = errors; // made by the preview, which has escaped all that it quotes
    }
    dialog.querySelector("h1").textContent = title();
    button.dataset.kind = "errors";
    put(button.querySelector(".said"), [count]);
    const isFolded = Boolean(count && remembered.get(FOLDED));
    button.hidden = !isFolded;
    if (count && !isFolded && !dialog.open) dialog.showModal();
    else if ((!count || isFolded) && dialog.open) dialog.close();
  };

  const showHolding = () => {
    const write = (id, text) => {
      const place = document.getElementById(id);
      if (place.textContent !== text) place.textContent = text;
    };
    write("title", title());
    write("doing", doing());
    const place = document.getElementById("errors");
    if (place.dataset.now !== news.errors) {
      place.dataset.now = news.errors;
      place.innerHTML = news.errors;
    }
  };

  const show = () => {
    if (isLeaving) return;
    if (isHolding && news) showHolding();
    else if (news) showFaults();
    clearTimeout(later);
    const isQuick = isGone || !pill.hidden || !pillFor();
    if (isQuick) showPill();
    else later = setTimeout(showPill, news.late ? 150 : 400); // what is over by then need not be told
  };

  const fold = () => {
    remembered.set(FOLDED, "yes");
    show();
    button.focus();
  };
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    fold();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest(".fold")) fold();
  });
  button.addEventListener("click", () => {
    remembered.set(FOLDED, "");
    show();
  });

  // News

  const hear = async (told) => {
    if (isLeaving) return;
    news = told;
    if (told.is_new) {
      reload();
      return;
    }
    digest = told.digest;
    await dressed;
    show();
  };

  let stream = null;
  let next = 0; // the timer of the next connection
  let silence = 0;
  let failed = 0; // connections in a row

  const close = () => {
    stream?.close();
    stream = null;
    clearTimeout(next);
    clearTimeout(silence);
  };

  const open = () => {
    close();
    if (isLeaving) return;
    const asked = new URLSearchParams({ path, digest });
    stream = new EventSource(`/.preview/events?${asked}`);
    stream.onmessage = (event) => {
      beat();
      hear(JSON.parse(event.data));
      if (document.hidden) closeFor(HIDDEN);
    };
    stream.addEventListener("beat", beat);
    stream.onerror = () => {
      closeFor(RETRY);
      failed += 1;
      if (failed > 1 && !isGone) {
        isGone = true;
        dressed.then(show);
      }
    };
  };

  const closeFor = (milliseconds) => {
    close();
    next = setTimeout(open, milliseconds);
  };

  const beat = () => {
    clearTimeout(silence);
    silence = setTimeout(open, SILENCE);
    failed = 0;
    if (!isGone) return;
    isGone = false;
    show();
  };

  if (!isHolding) comeBack();
  document.documentElement.append(host);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) closeFor(HIDDEN); // a browser lends few connections to a host
    else if (!stream) open();
  });
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => {
    if (event.persisted) {
      isLeaving = false;
      open();
    }
  });
  open();
})();
