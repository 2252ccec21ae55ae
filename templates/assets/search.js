// The search page: queries Pagefind, whose files are loaded on first use, and shows the results. Pagefind also gives
// pages with a part of a word, so each page is looked into: it must have every word of the query, whole, in another form
// or, from three letters on, as the beginning of a word. Where none has, the nearest words of the posts are offered.
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

  let loading; // promise of the Pagefind module, once requested
  let turn = 0; // number of searches: an outdated one shows nothing
  let found = []; // what may be shown, each result of Pagefind once it is known to have every word
  let shown = 0;
  let near; // promise of words.txt, once requested

  async function load() {
    const pagefind = await import(new URL("pagefind/pagefind.js", root).href);
    await pagefind.options({ noWorker: true, excerptLength: 28 }); // without a worker: one file less to load
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
    const label = chosen && tag.selectedOptions[0].label.replace(/ \(\d+\)$/, "");
    if (!looked && !chosen) {
      remember("", "");
      return show([], "");
    }
    try {
      const pagefind = await ready();
      if (own !== turn) return;
      remember(looked, chosen);
      const parts = tokens(looked);
      if (looked && !parts.length) {
        return await show([], said(0, looked, label), own);
      }
      const all = [...parts, ...tokens(label)]; // the words of a tag are words of its posts
      const byPage = new Map();
      for (const query of new Set([all.map(grouped).join(" "), all.join(" ")])) {
        for (const result of (await pagefind.search(query || null)).results) byPage.set(result.id, result);
      }
      const pages = await fitting([...byPage.values()], parts, chosen);
      const offer = pages.length ? "" : await nearest(parts);
      if (own !== turn) return;
      await show(pages, said(pages.length, looked, label), own);
      if (own === turn && offer) suggest(offer);
    } catch (fault) {
      if (own === turn) fail(fault);
    }
  }

  function fail(fault) {
    console.warn(fault);
    const cause = location.protocol === "file:" ? "a page that is opened from a disk cannot read it" : "try again later";
    show([], `The search index could not be loaded: ${cause}.`);
  }

  function said(count, looked, label) {
    const under = label && `under “${label}”`;
    const what = [looked && `for “${looked}”`, under].filter(Boolean).join(" ");
    if (count === 0) return `Nothing was found ${what}. Other words may help, or the archive.`;
    return `${count} ${count === 1 ? "page was" : "pages were"} found ${what}.`;
  }

  // A number as pages print it, whose groups of digits are words of the index: 19 899 for 19899.
  function grouped(word) {
    return /^\d{4,}$/.test(word) ? word.replace(/\B(?=(\d{3})+$)/g, " ") : word;
  }

  // The words and numbers of a text, in small letters: numbers without the signs between their groups of digits. Single
  // letters are left out: they are names in formulas.
  function tokens(text) {
    const plain = text.normalize("NFKC").toLowerCase();
    const bare = plain.replace(/(?<![\d.,])\d{1,3}(?:[ ,]\d{3})+(?!\d)/g, (number) => number.replace(/[ ,]/g, ""));
    const all = bare.match(/\d+(?:\.\d+)*|[\p{L}\p{M}]+/gu) ?? [];
    return [...new Set(all)].filter((word) => !/^[a-zα-ω]$/.test(word));
  }

  const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u; // no spaces between words

  function has(words, text, word) {
    if (UNSPACED.test(word)) return text.includes(word);
    return begins(words, word) || (!/\d/.test(word) && [...words].some((each) => stem(each) === stem(word)));
  }

  function begins(words, word) {
    return words.has(word) || (word.length > 2 && !/\d/.test(word) && [...words].some((each) => each.startsWith(word)));
  }

  // Nearly the stem of an English word: of greedy and greedily, of pennies and penny, of flipping and flips.
  function stem(word) {
    return word
      .replace(/(?<=..)i(?:es|ed|ly)$/, "y")
      .replace(/(?<=.{3})(?:(?<=x|ch|sh|ss)e)?s$|(?<=.{4})ly$/, "")
      .replace(/(?:(?<=..)([bdgmnprt])\1|(?<=..[^e]))(?:ing|ed)$/, "$1")
      .replace(/(?<=.{4})[ey]$/, "");
  }

  // The results whose pages have every word, and the tag that was chosen. Without one: once ten have been looked into and
  // all have every word, so have the others.
  async function fitting(results, parts, chosen) {
    const fit = [];
    for (let at = 0; at < results.length; at += SHOWN) {
      const some = results.slice(at, at + SHOWN);
      const pages = await Promise.all(some.map((result) => result.data()));
      some.forEach((result, index) => {
        const { content, meta: { summary, tags, topics = "" } } = pages[index];
        const text = `${summary} ${tags} ${content}`.toLowerCase();
        const words = new Set(tokens(text));
        if (chosen && !topics.split(" ").includes(chosen)) return;
        if (parts.every((word) => has(words, text, word))) fit.push(result);
      });
      if (!chosen && fit.length === at + SHOWN) return results;
    }
    return fit;
  }

  // The query with each word that is in no page replaced by the nearest one; "" where there is none.
  async function nearest(parts) {
    near ??= fetch("words.txt").then((answer) => answer.text());
    const known = new Set((await near.catch(() => "")).split("\n"));
    let changed = false;
    const words = parts.map((word) => {
      if (/\d/.test(word) || word.length < 4 || begins(known, word)) return word;
      const most = word.length < 6 ? 1 : 2;
      let best = "", least = most + 1;
      for (const each of known) {
        if (Math.abs(each.length - word.length) >= least) continue;
        const apart = distance(word, each, least);
        if (apart < least) [best, least] = [each, apart];
      }
      changed ||= best !== "";
      return best;
    });
    return changed && !words.includes("") ? words.join(" ") : "";
  }

  // How many letters must be changed, added, left out or exchanged with the next; at least `most` where it is too many.
  function distance(one, other, most) {
    let before = [], last = Array.from({ length: other.length + 1 }, (_, index) => index);
    for (let row = 1; row <= one.length; row++) {
      const now = [row];
      for (let column = 1; column <= other.length; column++) {
        const same = one[row - 1] === other[column - 1] ? 0 : 1;
        now[column] = Math.min(last[column] + 1, now[column - 1] + 1, last[column - 1] + same);
        if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
          now[column] = Math.min(now[column], before[column - 2] + 1);
        }
      }
      if (Math.min(...now) >= most) return most;
      [before, last] = [last, now];
    }
    return last[other.length];
  }

  function suggest(query) {
    const address = new URL(location.href);
    address.searchParams.set("q", query);
    const offer = make("a", "", query);
    offer.href = address;
    offer.addEventListener("click", (event) => {
      event.preventDefault();
      words.value = query;
      words.focus();
      look();
    });
    status.append(" Did you mean ", offer, "?");
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
    const path = encodeURI(page.raw_url.slice(1)); // pagefind takes the site for the root of its host
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
