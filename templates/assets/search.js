// The search page: queries Pagefind, whose files are loaded on first use, and shows the results.
(() => {
  "use strict";

  const SHOWN = 10; // results at a time
  const SECTIONS = 3; // links to sections below a result
  const PAUSE = 150; // milliseconds after the last key before a search starts

  const form = document.querySelector("form.search");
  const words = document.getElementById("search-words");
  const tag = document.getElementById("search-tag");
  const status = document.querySelector(".search-status");
  const list = document.querySelector(".search-results");
  const more = document.querySelector(".search-more");
  const root = new URL(form.dataset.root, location.href);
  const indexes = form.dataset.indexes.split(" ").map((folder) => new URL(folder, location.href).href);

  let loading; // promise of the Pagefind module, once requested
  let turn = 0; // number of searches: an outdated one shows nothing
  let found = [];
  let shown = 0;

  async function load() {
    const pagefind = await import(`${indexes[0]}pagefind.js`);
    await pagefind.options({ noWorker: true, excerptLength: 28 }); // without a worker: one file less to load
    await Promise.all(indexes.slice(1).map((folder) => pagefind.mergeIndex(folder, { excerptLength: 28 })));
    return pagefind;
  }

  function ready() {
    loading ??= load();
    loading.catch(() => (loading = undefined)); // the next search tries again
    return loading;
  }

  function asked() {
    const query = new URLSearchParams(location.search);
    return { words: query.get("q") ?? "", tag: query.get("tag") ?? "" };
  }

  function remember(looked, chosen) {
    const address = new URL(location.href);
    for (const [name, value] of [["q", looked], ["tag", chosen]]) {
      if (value) address.searchParams.set(name, value);
      else address.searchParams.delete(name);
    }
    if (address.href !== location.href) history.replaceState(null, "", address);
  }

  async function look() {
    const own = ++turn;
    const looked = words.value.trim();
    const chosen = tag?.value ?? "";
    if (!looked && !chosen) {
      remember("", "");
      show([], "");
      return;
    }
    try {
      const pagefind = await ready();
      if (own !== turn) return;
      remember(looked, chosen);
      const { results } = await pagefind.search(looked || null, { filters: chosen ? { tag: chosen } : {} });
      if (own === turn) await show(results, said(results.length, looked, chosen), own);
    } catch (fault) {
      if (own === turn) fail(fault);
    }
  }

  function fail(fault) {
    console.warn(fault);
    const cause = location.protocol === "file:" ? "a page that is opened from a disk cannot read it" : "try again later";
    show([], `The search index could not be loaded: ${cause}.`);
  }

  function said(count, looked, chosen) {
    const under = chosen && `under “${tag.selectedOptions[0].label.replace(/ \(\d+\)$/, "")}”`;
    const what = [looked && `for “${looked}”`, under].filter(Boolean).join(" ");
    if (count === 0) return `Nothing was found ${what}. Other words may help, or the archive.`;
    return `${count} ${count === 1 ? "page was" : "pages were"} found ${what}.`;
  }

  async function show(results, words, own = turn) {
    found = results;
    shown = 0;
    const items = await next(own);
    if (own !== turn) return;
    list.replaceChildren(...items);
    status.textContent = words;
    update();
  }

  async function next(own) {
    const pages = await Promise.all(found.slice(shown, shown + SHOWN).map((result) => result.data()));
    if (own === turn) shown += pages.length;
    return pages.map(item);
  }

  function update() {
    list.hidden = shown === 0;
    more.hidden = shown >= found.length;
  }

  function item(page) {
    const path = encodeURI(page.raw_url);
    const element = make("li", "search-result");
    const title = make("h2", "search-title");
    title.append(link(path, page.meta.title));
    element.append(title);
    if (page.meta.date) element.append(make("p", "search-date", page.meta.date));
    const excerpt = make("p", "search-excerpt");
    excerpt.append(...marked(page.excerpt), "\u2009…");
    if (!page.content.startsWith(page.plain_excerpt)) excerpt.prepend("…\u2009");
    element.append(excerpt);
    const sections = best(page.sub_results.filter((section) => section.anchor));
    if (sections.length) {
      const places = make("ul", "search-sections");
      places.setAttribute("aria-label", "Sections");
      for (const section of sections) {
        const place = make("li");
        place.append(link(`${path}#${encodeURIComponent(section.anchor.id)}`, section.title));
        places.append(place);
      }
      element.append(places);
    }
    return element;
  }

  // The sections with the most matches, in the order of the text.
  function best(sections) {
    const ranked = [...sections].sort((one, other) => other.locations.length - one.locations.length);
    const chosen = new Set(ranked.slice(0, SECTIONS));
    return sections.filter((section) => chosen.has(section));
  }

  function link(path, text) {
    const element = make("a", "", text);
    element.href = new URL(path, root).href;
    return element;
  }

  // Pagefind's excerpts contain <mark>, and &lt; and &gt; for < and > in the text.
  function marked(excerpt) {
    return excerpt.split(/(<mark>.*?<\/mark>)/s).map((piece) => {
      const text = piece.replace(/<\/?mark>/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">");
      return piece.startsWith("<mark>") ? make("mark", "", text) : document.createTextNode(text);
    });
  }

  function make(name, kind = "", text = "") {
    const element = document.createElement(name);
    if (kind) element.className = kind;
    element.textContent = text;
    return element;
  }

  let waiting;
  words.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, PAUSE);
  });
  words.addEventListener("focus", () => ready().catch(() => {})); // load early; an error is reported by the search
  tag?.addEventListener("change", look);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    look();
  });
  more.addEventListener("click", async () => {
    const own = turn;
    const items = await next(own).catch(fail);
    if (own !== turn || !items) return;
    list.append(...items);
    update();
    items[0]?.querySelector("a").focus();
  });

  words.disabled = false;
  words.value = asked().words;
  if (tag) {
    tag.disabled = false;
    tag.value = asked().tag;
    if (tag.selectedIndex < 0) tag.value = "";
  }
  look();
})();
