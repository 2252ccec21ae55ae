// Turns a post to another setting: a script of that setting has the blocks of the article that differ from those of the
// published page. Nothing is missing without this script: the page is the published one.
(() => {
  "use strict";
  const control = document.querySelector(".prose > .turn");
  const article = control?.closest("article");
  if (!article) return;
  const places = {
    article,
    header: article.querySelector(":scope > header"),
    prose: article.querySelector(":scope > .prose"),
  };
  const published = {}, shown = {};
  for (const [name, place] of Object.entries(places)) {
    published[name] = [...(place?.children ?? [])].filter((each) => each !== control);
    shown[name] = published[name];
  }
  const range = control.querySelector("input[type=range]");
  const choices = [...control.querySelectorAll("[data-script]")];
  const own = choices.findIndex((each) => "published" in each.dataset);
  const back = control.querySelector("button"), said = control.querySelector("output");
  const title = document.title;
  let at = own, wanted = own;

  const keyOf = (choice) => choice.getAttribute("value");
  const labelOf = (choice) => (range ? choice : choice.parentElement).textContent.trim();

  const loading = new Map();
  const load = (choice) => {
    if (!choice?.dataset.script) return Promise.resolve({ title, operations: [] });
    const key = keyOf(choice);
    if (!loading.has(key)) {
      loading.set(key, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = choice.dataset.script;
        script.onload = () => resolve(window.turned[key]);
        script.onerror = () => {
          loading.delete(key); // to be tried again
          reject(new Error(key));
        };
        document.head.append(script);
      }));
    }
    return loading.get(key);
  };

  const made = (blocks) => {
    const template = document.createElement("template");
    template.innerHTML = blocks.join("");
    return [...template.content.children];
  };

  // The blocks of a place after the operations, which count published ones; the new ones are added to `fresh`.
  const turned = (name, operations, fresh) => {
    const found = [];
    let next = 0;
    for (const [place, start, count, blocks] of operations) {
      if (place !== name) continue;
      const nodes = made(blocks);
      found.push(...published[name].slice(next, start), ...nodes);
      fresh.push(...nodes);
      next = start + count;
    }
    return [...found, ...published[name].slice(next)];
  };

  const put = (name, nodes) => {
    const kept = new Set(nodes);
    for (const node of shown[name]) {
      if (kept.has(node)) continue;
      if (node.nextElementSibling?.matches(".copy-tex")) node.nextElementSibling.remove();
      node.remove();
    }
    let next = null;
    for (const node of [...nodes].reverse()) {
      if (node.parentNode !== places[name]) places[name].insertBefore(node, next);
      next = node;
    }
    shown[name] = nodes;
  };

  // What is read stays where it is: the first block in view, or the one that takes its place.
  const anchor = () => {
    const place = shown.prose.findIndex((each) => each.getBoundingClientRect().bottom > innerHeight / 4);
    const node = shown.prose[place];
    return node && scrollY ? { node, place: published.prose.indexOf(node), top: node.getBoundingClientRect().top } : null;
  };
  const hold = (before) => {
    if (!before?.node.isConnected) return;
    scrollBy({ top: before.node.getBoundingClientRect().top - before.top, behavior: "instant" });
  };

  const ready = (nodes) => {
    const pictures = nodes.flatMap((node) => [...node.querySelectorAll("img")]).slice(0, 4);
    const decoded = Promise.all(pictures.map((each) => {
      each.loading = "eager";
      return each.decode().catch(() => {});
    }));
    return Promise.race([decoded, new Promise((done) => setTimeout(done, 300))]);
  };

  const tell = (place, count) => {
    const isHidden = article.querySelector(".answer details:not([open])"); // until a reader has guessed it
    const shown = isHidden ? "" : article.querySelector(".answer-text")?.innerText.replace(/\s+/g, " ").trim();
    const answer = shown && ` Answer: ${shown.replace(/\.$/, "")}.`;
    const changed = count === 1 ? "1 place changed" : `${count} places changed`;
    said.textContent = `${labelOf(choices[place])}: ${place === own ? "as published" : changed}.${answer}`;
  };

  const mark = () => {
    if (range) {
      range.value = at;
      range.setAttribute("aria-valuetext", labelOf(choices[at]));
      choices.forEach((each, place) => each.classList.toggle("shown", place === at));
    } else {
      const label = choices[at].parentElement, row = label.parentElement;
      choices[at].checked = true;
      row.scrollLeft += label.getBoundingClientRect().left - row.getBoundingClientRect().left - row.clientWidth / 4;
    }
    back.hidden = at === own;
  };

  const show = async (place, isNew) => {
    wanted = place;
    let facts;
    try {
      facts = await load(choices[place]);
    } catch {
      said.textContent = `${labelOf(choices[place])} could not be loaded.`;
      mark();
      return;
    }
    if (wanted !== place) return; // another one was chosen since
    const fresh = [], nodes = {};
    for (const name of Object.keys(places)) nodes[name] = turned(name, facts.operations, fresh);
    await ready(fresh);
    if (wanted !== place) return;
    const before = anchor();
    for (const name of Object.keys(places)) put(name, nodes[name]);
    document.title = facts.title;
    at = place;
    hold(before);
    mark();
    for (const node of fresh) node.classList.add("just-turned");
    setTimeout(() => fresh.forEach((node) => node.classList.remove("just-turned")), 5000);
    document.dispatchEvent(new CustomEvent("turned", { detail: fresh }));
    tell(place, facts.operations.length);
    if (isNew) note();
    for (const near of [place - 1, place + 1]) load(choices[near]).catch(() => {}); // likely to be next
  };

  const note = () => {
    const address = new URL(location.href);
    if (at === own) address.searchParams.delete("turn");
    else address.searchParams.set("turn", keyOf(choices[at]));
    try {
      history.pushState(null, "", address);
    } catch { /* a page from disk keeps its address */ }
  };

  const asked = () => {
    const key = new URL(location.href).searchParams.get("turn");
    const place = choices.findIndex((each) => key !== null && keyOf(each) === key);
    return place < 0 ? own : place;
  };

  control.addEventListener("input", (event) => {
    show(range ? Number(range.value) : choices.indexOf(event.target), true);
  });
  back.addEventListener("click", () => {
    (range ?? choices[own]).focus(); // the button goes
    show(own, true);
  });
  addEventListener("popstate", () => {
    if (asked() !== at) show(asked(), false);
  });
  control.hidden = false;
  mark();
  if (asked() !== own) show(asked(), false);
})();
