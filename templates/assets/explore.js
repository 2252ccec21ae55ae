// Reads the cells of maps and the points of curves at pointer, touch and arrow keys. The words of a figure and where its
// plot lies come from a script of its own, loaded at the first touch. Nothing is missing without this script.
(() => {
  "use strict";
  const all = "figure[data-explore]";
  const narrow = matchMedia("(max-width: 759px)"); // as in the figure's <picture>
  const views = new WeakMap();
  let chosen = null; // id of the figure that was read last, and the words of its place
  let said = null, later = 0;

  const element = (tag, name, text = "") => Object.assign(document.createElement(tag), { className: name, textContent: text });
  const plain = (word) => word.replace(/\u2212/g, "-").replace(/\s/g, ""); // for addresses

  const load = (view) => view.loading ??= new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = view.figure.dataset.explore;
    script.onload = () => resolve(window.explored[script.src]);
    script.onerror = () => {
      setTimeout(() => { view.loading = null; }, 3000); // to be tried again
      view.line.textContent = "The values could not be loaded.";
    };
    document.head.append(script);
  });

  // Runs `then` once the data is there, at once if it is.
  const ready = (view, then) => {
    if (view.steps) then();
    else load(view).then((steps) => {
      view.steps ??= steps;
      then();
    });
  };

  const picture = (view) => view.figure.querySelector("li.shown img") ?? view.figure.querySelector("img");
  const facts = (view) => {
    const shown = view.figure.querySelector("li.shown");
    return view.steps?.[shown ? [...shown.parentElement.children].indexOf(shown) : 0];
  };
  const position = (axis, place) => (axis.at ? axis.at[place] : place);

  const text = (view, data) => {
    const places = data.axes.map((axis, i) => `${view.names[i]}\u00a0${axis.words[view.at[i]]}`);
    const cell = data.axes.length > 1 ? view.at[0] * data.axes[1].words.length + view.at[1] : view.at[0];
    const words = data.layers.map(({ label, words, names, cells }) => {
      if (names) return names[cells[cell]];
      return words[cell] ? `${label} ${words[cell]}` : "";
    });
    const costs = (data.costs ?? []).filter((cost) => cost.words[cell]);
    const found = words.filter(Boolean).join(data.axes.length > 1 ? ", " : "; ") || "no value";
    const others = costs.map((cost) => `; ${cost.name} would cost ${cost.words[cell]} ${data.unit}`).join("");
    return `${places.join(", ")}: ${found}${others}`;
  };

  const show = (view) => {
    const data = facts(view);
    const isShown = Boolean(view.at && data?.axes.every((axis, i) => view.at[i] < axis.words.length));
    view.cursor.hidden = !isShown;
    if (!isShown) {
      if (view.at) view.line.textContent = view.hint;
      return;
    }
    view.line.textContent = text(view, data);
    const box = picture(view).getBoundingClientRect(), around = view.figure.getBoundingClientRect();
    const [left, top, width, height] = narrow.matches ? data.narrow : data.plot;
    const put = (style, values) => {
      for (const [name, value] of Object.entries(values)) style[name] = `${value}px`;
    };
    put(view.cursor.style, {
      left: box.left - around.left + left * box.width,
      top: box.top - around.top + top * box.height,
      width: width * box.width,
      height: height * box.height,
    });
    const [across, up] = data.axes.map((axis, i) => {
      const [first, last] = data.spans[i];
      const share = (position(axis, view.at[i]) - first) / (last - first);
      return { share: i && !data.down ? 1 - share : share, cell: 1 / (last - first) };
    });
    const shares = { "--across": across.share, "--wide": across.cell, "--up": up?.share ?? 0, "--high": up?.cell ?? 0 };
    for (const [name, share] of Object.entries(shares)) view.cursor.style.setProperty(name, share);
    view.cursor.classList.toggle("fine", width * box.width * across.cell < 16); // too small to be found without lines
    view.ranges.forEach((range, i) => {
      range.max = data.axes[i].words.length - 1;
      range.value = view.at[i];
      range.setAttribute("aria-valuetext", data.axes[i].words[view.at[i]]);
    });
  };

  const wordsOf = (view) => facts(view)?.axes.map((axis, i) => axis.words[view.at[i]]);

  // Shows a place of a figure, and the same place in the figures with the same axes.
  const go = (view, at) => {
    view.at = at;
    show(view);
    const words = wordsOf(view);
    if (!words) return;
    chosen = { id: view.figure.id, words: words.map(plain).join(",") };
    for (const figure of document.querySelectorAll(all)) {
      const other = views.get(figure);
      if (!other || other === view || other.names.join() !== view.names.join()) continue;
      ready(other, () => {
        if (wordsOf(view)?.join() !== words.join()) return; // moved on since
        other.at = facts(other)?.axes.map((axis, i) => axis.words.indexOf(words[i])) ?? null;
        if (other.at?.includes(-1)) other.at = [Infinity];
        show(other);
      });
    }
  };

  // After a rest: the line to screen readers, and the place into the address.
  const keep = (view) => {
    clearTimeout(later);
    later = setTimeout(() => {
      said.textContent = view.line.textContent;
      const address = new URL(location.href);
      address.searchParams.set("at", chosen.words);
      address.search = address.search.replace(/%2C/g, ",");
      address.hash = view.figure.id;
      try {
        history.replaceState(history.state, "", address);
      } catch { /* a page from disk keeps its address */ }
    }, 500);
  };

  const nearest = (axis, wanted) => {
    let found = 0;
    for (let i = 1; i < axis.words.length; i++) {
      if (Math.abs(position(axis, i) - wanted) < Math.abs(position(axis, found) - wanted)) found = i;
    }
    return found;
  };

  // The place under the pointer; nothing beside the plot.
  const under = (view, { clientX, clientY }) => {
    const data = facts(view);
    if (!data) return null;
    const box = picture(view).getBoundingClientRect();
    const [left, top, width, height] = narrow.matches ? data.narrow : data.plot;
    const across = ((clientX - box.left) / box.width - left) / width;
    const down = ((clientY - box.top) / box.height - top) / height;
    if (Math.min(across, down) < 0 || Math.max(across, down) > 1) return null;
    return data.axes.map((axis, i) => {
      const [first, last] = data.spans[i];
      return nearest(axis, first + (i ? (data.down ? down : 1 - down) : across) * (last - first));
    });
  };

  // The place with these words, as they stand in an address; a comma may be part of a word.
  const find = (axes, words) => {
    if (!axes.length) return words === "" ? [] : null;
    for (const [place, word] of axes[0].words.entries()) {
      const rest = axes.length > 1 ? `${plain(word)},` : plain(word);
      const found = words.startsWith(rest) && find(axes.slice(1), words.slice(rest.length));
      if (found) return [place, ...found];
    }
    return null;
  };

  const recall = (view) => {
    if (chosen?.id !== view.figure.id) return;
    ready(view, () => {
      const data = facts(view), at = data && find(data.axes, chosen.words);
      if (at) go(view, at);
    });
  };

  const begin = (figure) => {
    if (views.has(figure)) return;
    const { across, up } = figure.dataset;
    const names = up === undefined ? [across] : [across, up];
    const hint = up === undefined ? "Point at the curve or touch it to read its values." : "Point at a cell or touch it to read it.";
    const tools = element("div", "explore"), line = element("div", "explored", hint), axes = element("div", "explored-axes");
    axes.setAttribute("role", "group");
    axes.setAttribute("aria-label", "Read the values");
    const cursor = element("div", up === undefined ? "cursor" : "cursor of-map");
    cursor.hidden = true;
    const ranges = names.map((name) => {
      const label = element("label", "", name);
      const range = Object.assign(element("input", ""), { type: "range", min: 0, max: 0, value: 0 });
      label.append(range);
      axes.append(label);
      return range;
    });
    tools.append(line, axes);
    figure.append(tools, cursor);
    const view = { figure, names, hint, line, cursor, ranges, at: null, steps: null, loading: null };
    views.set(figure, view);

    const point = (event, then) => {
      if (event.target.localName !== "img") return;
      ready(view, () => {
        const at = under(view, event);
        if (!at) return;
        go(view, at);
        then?.();
      });
    };
    figure.addEventListener("pointermove", (event) => point(event));
    figure.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") reveal();
      point(event);
    });
    figure.addEventListener("click", (event) => point(event, () => {
      ranges[0].focus({ preventScroll: true });
      keep(view);
    }));

    const reveal = () => figure.classList.add("ranged"); // for good: a click that hid the ranges would miss its target
    const start = () => ready(view, () => {
      if (axes.querySelector(":focus-visible")) reveal();
      const data = facts(view);
      if (data && !view.at) go(view, data.axes.map((axis) => axis.words.length >> 1));
      // the focus came when the ranges took no room
      axes.querySelector(":focus-visible")?.scrollIntoView({ block: "nearest", behavior: "instant" });
    });
    const move = (i, place) => {
      const data = facts(view);
      if (!data || !view.at) return;
      const at = [...view.at];
      at[i] = Math.min(Math.max(place, 0), data.axes[i].words.length - 1);
      go(view, at);
      keep(view);
    };
    axes.addEventListener("focusin", start);
    ranges.forEach((range, i) => range.addEventListener("input", () => move(i, Number(range.value))));
    axes.addEventListener("keydown", (event) => {
      const [i, step] = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowDown: [1, -1], ArrowUp: [1, 1] }[event.key] ?? [];
      if (!ranges[i] || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      reveal();
      ranges[i].focus();
      ready(view, () => view.at && move(i, view.at[i] + (i && facts(view)?.down ? -step : step)));
    });
    figure.addEventListener("stepped", () => show(view)); // by frames.js
  };

  said = element("p", "unseen");
  said.setAttribute("role", "status");
  document.querySelector("main").append(said);
  try {
    const words = new URL(location.href).searchParams.get("at");
    if (words !== null) chosen = { id: decodeURIComponent(location.hash.slice(1)), words };
  } catch { /* not an address of this site */ }
  const each = (then) => document.querySelectorAll(all).forEach((figure) => then(figure, views.get(figure)));
  const beginAll = () => {
    each(begin);
    each((figure, view) => recall(view));
  };
  beginAll();
  document.addEventListener("turned", beginAll); // by turn.js: new figures
  addEventListener("resize", () => each((figure, view) => show(view)));
})();
