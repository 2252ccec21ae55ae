// The board of a game, for play.js: its states, moves and values come as data, checked by the builder.
(() => {
"use strict";
const language = document.documentElement.lang || "en";
const number = (value, least = 0, most = 2, style) => value.toLocaleString(
  language, { minimumFractionDigits: least, maximumFractionDigits: most, roundingMode: "halfEven", style });
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const make = (tag, facts = {}, ...inside) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(facts)) {
    if (name === "on") element.onclick = value;
    else if (value !== false) element.setAttribute(name, value);
  }
  element.append(...inside);
  return element;
};
const column = (cells) => { // numbers come as differences
  let at = 0;
  return cells.map((each) => (Number.isInteger(each) ? (at += each) : each));
};
// A number from 0 to 1 of the generator sfc32, the same for the same words: its state is the FNV-1a hash of them, of
// which the first 12 numbers are thrown away.
const luck = (...words) => {
  let hash = 0x811c9dc5;
  for (const letter of words.join(" ")) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  let a = 0, b = hash, c = 0, counter = 1, number = 0;
  for (let left = 13; left; left--) {
    number = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + number) | 0;
  }
  return (number >>> 0) / 2 ** 32;
};
// Cards are turned until the row of a player comes; a coin decides if none does.
const winnerOf = (rows, turned) => rows.findIndex((row) => turned.endsWith(row));
// The chance of a player to win a deal: of all orders of the cards left, those that win. Each counts twice, so that one
// for the coin counts once; whole numbers up to 2 ** 53 are exact.
const chanceOf = (player, { rows, cards: all, turned, known }) => {
  const left = all.slice(turned.length), reds = left.filter((card) => card === "R").length;
  const count = (cards, red, black) => {
    const winner = winnerOf(rows, cards);
    if (!red && !black) return winner === player ? 2 : winner < 0 ? 1 : 0;
    while (!rows.some((row) => row.startsWith(cards))) cards = cards.slice(1); // the others no longer matter
    const next = (card) => (winner < 0 ? cards + card : cards);
    return (known[[cards, red, black]] ??=
      (red && count(next("R"), red - 1, black)) + (black && count(next("B"), red, black - 1)));
  };
  const blacks = left.length - reds;
  let orders = 2;
  for (let red = 1; red <= reds; red++) orders = orders * (blacks + red) / red;
  return count(turned, reds, blacks) / orders;
};
// The rules: states are numbers, and values are those of the reader.
const rulesOf = (data) => {
  const shape = column(data.shape), best = column(data.best), say = column(data.say);
  const facts = Object.entries(data.facts).map(([name, cells]) => [name, column(cells)]);
  const rules = {
    ...data,
    player: (state) => data.shapes[shape[state]][0],
    isOver: (state) => data.shapes[shape[state]].length === 1,
    moves: (state) => {
      const [, ...flat] = data.shapes[shape[state]], found = [];
      for (let place = 0; place < flat.length; place += 2) {
        const to = flat[place + 1], outcomes = to.length ? [] : [{ chance: 1, next: state + to, reward: 0 }];
        for (let at = 0; at < to.length; at += 4) {
          outcomes.push({
            chance: data.chances[to[at]], next: state + to[at + 1], reward: data.rewards[to[at + 2]], event: data.names[to[at + 3]],
          });
        }
        const isBest = !best[state] || Math.floor(best[state] / 2 ** (place / 2)) & 1;
        found.push({ name: data.names[flat[place]], outcomes, isBest });
      }
      return found;
    },
    facts: (state) => Object.fromEntries(facts.map(([name, cells]) => [name, cells[state]]).filter(([, each]) => each !== null)),
    words: (state) => {
      const known = rules.facts(state);
      return data.texts[say[state]].replace(/\{(\w+)\}/g, (_, name) => String(known[name]).replace(/^-/, "−"));
    },
  };
  return rules;
};

const boardOf = (rules, memory) => {
  const walked = rules.pictures.find((each) => each.kind === "walk");
  const dealing = rules.pictures.find((each) => each.kind === "deal");
  const happened = new Text(), present = make(walked ? "output" : "span", { class: "present" }); // what the reader decides by
  const tokens = make("span", { class: "tokens", "aria-hidden": true }); // the points of each move since the reader's last one
  const status = make("p", { class: "status", role: "status" }, happened, walked ? "" : present);
  const standing = make("div", { class: "standing", "aria-hidden": true });
  const pictures = make("div", { class: "pictures" });
  const moves = make("div", { class: "moves", role: "group", "aria-label": "Your move" });
  const advice = make("span", { class: "advice", role: "status" }); // of the last move, or the next; at the end who won
  const comment = make("p", { class: "comment" }, tokens, advice);
  const log = make("ol", { class: "log" });
  const deck = make("div");
  const turns = make("div", { class: "turns" }, moves, deck);
  const held = [pictures, turns]; // as high as they were once: what is below stays
  const button = (label, on, shown = label) => make("button", { type: "button", "data-move": label, "aria-label": label, on }, shown);
  const act = (kind, name) => () => perform(kind, name);
  const undo = button("Undo", () => lastOwn() > 0 && perform("takeBack"));
  const hint = button("Hint", () => advise());
  const anew = button("New game", () => start());
  const rest = button("Play on perfectly", act("playOn"));
  const starts = make("select", {}, ...rules.starts.map(([label], place) => make("option", { value: place }, label)));
  starts.onchange = () => start();
  const note = make("p", { class: "note" });
  const from = rules.starts.length ? [make("label", {}, "Game:", starts)] : [];
  // What changes its height stands below the buttons, so that these keep their place.
  const element = make("div", { class: "board" }, standing, pictures, comment, walked ? present : "", turns,
    make("div", { class: "tools" }, hint, undo, anew, rest, ...from), note, status,
    make("details", {}, make("summary", {}, "The moves so far"), log));

  let seed = 0, history = [], deal = null, isMap = false, won = 0, decks = 0; // games or, with the same choices, decks that were won, and all
  let judged, brought, lost, perfect; // of the last move: how good it was, what came of it, its cost; then what perfect play is worth
  let isMany = false; // where a hundred decks were played at once
  let actions = []; // what the reader did; with the seed they give the same game again
  const now = () => history.at(-1);
  const lastOwn = () => history.findLastIndex((each) => each.who === "You"); // the place after the reader's last move
  const isCounted = rules.shapes.some((each) => each.length > 17); // more than 8 moves
  const isReader = (state) => rules.player(state) === rules.reader;
  const other = rules.players[1 - rules.reader];
  const row = rules.pictures.find((each) => each.take_first); // pieces that are taken from the ends
  const isChance = rules.worth === "chance", isGain = rules.worth === "gain", isSum = isGain && row?.labels.every((label) => label && !isNaN(label));

  const share = (value) => { // only what is sure is written as such
    const percent = (each) => number(each, 1, 1, "percent");
    if (Number.isInteger(value)) return number(value, 0, 0, "percent");
    return isNaN(value) ? "?" : value < 0.001 ? `below ${percent(0.001)}` : value > 0.999 ? `above ${percent(0.999)}` : percent(value);
  };
  const promised = () => rules.values[history.at(dealing ? lastOwn() : 0).state]; // of many decks: with the choice made
  // None before the reader has tried a move.
  const odds = (state) => actions[0] && (isMany ? promised() : deal && !rules.isOver(state) ? chanceOf(rules.reader, deal) : rules.values[state]);
  const worth = (state) => {
    if (rules.worth === "outcome") return rules.outcomes[rules.values[state]];
    if (isChance) return `chance to win ${share(odds(state))}`;
    return `you have ${number(gained())}${rules.unit} so far and can expect ${actions[0] ? number(rules.values[state]) : "?"} more`;
  };
  const cost = (given) => {
    if (rules.worth === "outcome") return "a won game";
    if (isGain) return `${number(given)}${rules.unit}`;
    return `${given < 0.001 ? "less than 0.1" : number(given * 100, 1, 1)} percentage points of your chance`;
  };
  const endsOf = (each, facts) => [each.first, each.last].map((name) => facts[name] ?? name); // of the pieces on the board
  const leftIn = (state) => { // of the row, as a sum
    const [first, last] = endsOf(row, rules.facts(state));
    return rules.isOver(state) ? 0 : row.labels.slice(first - 1, last).reduce((sum, label) => sum + Number(label), 0);
  };
  const sums = () => [gained(), leftIn(history[0].state) - leftIn(now().state) - gained()]; // of both players
  const gained = () => total("gain");
  const total = (name) => history.reduce((sum, each) => sum + each[name], 0);
  const bestOf = (state) => rules.moves(state).filter((each) => each.isBest);
  const better = (state) => {
    const best = bestOf(state).map((each) => each.name);
    return best.length === rules.moves(state).length ? "" // all are equal
      : best.length > 2 ? `${best[0]} (one of ${best.length})` : best.join(" or ");
  };

  // A new game; or the one that this page had before it was loaded again, or that of the seed in its address.
  const start = (isFirst = false) => {
    const address = new URL(location.href), named = isFirst && Number(address.searchParams.get(memory.seed));
    const saved = isFirst && memory.load(), isSame = saved && (!named || named === saved.seed);
    seed = isSame ? saved.seed : named || 1 + Math.random() * 1e6 | 0;
    if (isSame) starts.value = saved.start;
    address.searchParams.set(memory.seed, log.dataset.seed = seed);
    try {
      window.history.replaceState(window.history.state, "", address);
    } catch { /* a page from disk keeps its address */ }
    const [, state = rules.start, words] = rules.starts[starts.value] ?? [];
    note.textContent = words;
    if (dealing || history[0]?.state !== state) won = decks = 0;
    history = [{ state, step: 0, cost: 0, gain: 0 }];
    actions = [];
    held.forEach((part) => { part.style.minBlockSize = ""; });
    fresh();
    go();
    show();
    if (isSame) saved.actions.forEach(([kind, name]) => perform(kind, name));
    memory.save({ seed, start: starts.value, actions });
  };
  const perform = (kind, name) => {
    actions.push([kind, name]);
    memory.save({ seed, start: starts.value, actions });
    if (kind === "choose") choose(rules.moves(now().state).find((each) => each.name === name));
    else ({ again, takeBack, turn, turnAll: () => turn(true), playMany, playOn: () => {
      while (isReader(now().state)) choose(bestOf(now().state)[0]);
    } })[kind]();
    show();
  };
  const fresh = () => {
    deal = null;
    isMany = false;
    judged = brought = lost = "";
  };

  const step = (who, { name }, { next, reward, event }, cost = 0) => {
    history.push({ state: next, step: now().step + 1, who, name, event, cost, gain: reward });
  };
  const told = ({ who, name, event }) => (event ? `${upper(event)}. ` : who ? `${upper(who)}: ${name}. ` : "");
  const drawnOutcome = (move) => {
    let left = luck(seed, now().step, "chance");
    return move.outcomes.find((each) => (left -= each.chance) < 0) ?? move.outcomes.at(-1);
  };
  const after = (move) => move.outcomes.reduce((sum, each) => sum + each.chance * (rules.values[each.next] + each.reward), 0);

  const choose = (move) => {
    const { state } = now();
    const given = move.isBest ? 0 : Math.max(rules.values[state] - after(move), 1e-9);
    judged = given ? `${upper(better(state))} was better. ` : better(state) && "Well played. ";
    lost = given ? `Your move cost you ${cost(given)}. ` : "";
    step("You", move, drawnOutcome(move), given);
    brought = move.outcomes[1] ? told(now()) : "";
    go();
  };

  // Chance and the other player move until it is the reader's turn.
  const go = () => {
    while (!rules.isOver(now().state) && !isReader(now().state)) {
      const { state } = now(), who = rules.players[rules.player(state)] ?? ""; // nobody for chance
      if (!who && dealing?.facts.every((name) => name in rules.facts(state))) {
        deal ??= dealt(state);
        break;
      }
      const good = bestOf(state);
      const move = good[Math.floor(luck(seed, now().step, "move") * good.length)];
      step(who, move, drawnOutcome(move));
      brought += told(now());
    }
    if (rules.isOver(now().state)) finish();
  };

  const finish = () => {
    decks += 1;
    won += rules.values[now().state];
    perfect = isGain ? `Perfect play is worth ${number(promised())}.`
      : isChance ? `${dealing ? "Your choice" : "Perfect play"} wins ${share(promised())}.` : "";
    const all = total("cost");
    if (rules.players.length) lost = all ? `In all you gave away ${cost(all)}. ` : "You made no mistake. ";
    if (all && !isChance && ending() === "lost") lost += "Try again with Undo. ";
    if (isGain && !isSum) lost += `You have ${number(gained())}. `;
  };
  const again = () => { // the same choices, another deck
    history.length = lastOwn() + 1;
    fresh();
    deal = dealt(now().state);
  };

  const takeBack = () => {
    if (dealing || rules.isOver(now().state)) won = decks = 0;
    history.length = lastOwn();
    fresh();
  };

  const advise = () => {
    const { state } = now(); // it is no move: nothing to keep
    advice.textContent = better(state) ? `Best: ${better(state)}.`
      : rules.values[state] < 0 ? `Try ${rules.moves(state)[0].name}, and hope.` : "All moves are equal.";
  };

  // A shuffled deck without the rows of the players; no card is turned.
  const dealt = (state) => {
    const rows = dealing.facts.map((name) => rules.facts(state)[name] ?? "");
    const left = (colour, all) => colour.repeat(all - rows.join("").split(colour).length + 1);
    const cards = [...left("R", dealing.reds) + left("B", dealing.blacks)];
    for (let at = cards.length - 1; at > 0; at--) {
      const other = Math.floor(luck(seed, now().step + decks, "card", at) * (at + 1));
      [cards[at], cards[other]] = [cards[other], cards[at]];
    }
    return { rows, cards, turned: "", known: {} };
  };
  const turn = (isAll) => {
    if (rules.isOver(now().state)) again();
    const { rows, cards } = deal;
    deal.turned += cards[deal.turned.length] ?? "";
    judged = lost = ""; // the answer was judged when it was given
    const winner = winnerOf(rows, deal.turned), isLast = winner >= 0 || deal.turned.length === cards.length;
    if (isAll && !isLast) turn(true);
    if (isLast) {
      const move = rules.moves(now().state)[0], coin = Math.round(luck(seed, now().step + decks, "coin"));
      brought = winner < 0 ? `No row appeared: a coin decides for ${rules.players[coin]}. ` : "";
      step("", move, move.outcomes[winner < 0 ? coin : winner]);
      finish();
    }
  };
  const playMany = () => {
    for (let left = 100; left; left--) turn(true);
    isMany = true;
    brought = ""; // of the last deck
  };

  // What is seen

  const ending = () => { // won, lost or drawn, as the reader sees the end of a game
    const { state } = now(), value = rules.values[state];
    if (!rules.isOver(state)) return "";
    if (isMany || (isGain && !isSum)) return "over";
    const [mine, theirs] = isSum ? sums() : [value, isChance ? 1 - value : 0];
    return mine > theirs ? "won" : mine < theirs ? "lost" : "drawn";
  };
  const standings = (state) => {
    if (isSum) {
      const [mine, theirs] = sums();
      const sum = (kind, who, value) => make("span", { class: `sum ${kind}` }, who, make("b", {}, number(value)));
      return [sum("own", "You", mine), sum("", other, theirs)];
    }
    if (!isChance) return [];
    const value = odds(state), bar = make("span", { class: "bar" });
    bar.style.inlineSize = `${value * 100 || 0}%`;
    const what = make("span", {}, isMany ? "your choice wins " : "chance to win ", make("b", {}, share(value)));
    return [make("span", { class: "odds" }, bar), what];
  };

  const showTokens = () => {
    const since = Math.max(lastOwn(), 1);
    const up = (place) => rules.facts(history[place].state)[walked?.up];
    tokens.replaceChildren(walked && other && history[since] ? "For you: " : "", ...history.slice(since).flatMap((each, index) => {
      const change = up(since + index) - up(since + index - 1) || 0;
      const face = /heads|tails/.exec(each.event) ?? "", points = (change > 0 ? "+" : "−") + number(Math.abs(change));
      const token = make("span", { class: `token${change > 0 ? "" : " down"}` }, face, make("b", {}, points));
      return change ? make("span", {}, token, other ? upper(each.who || other) : "") : [];
    }));
  };

  const show = () => {
    const { state } = now(), end = ending(), where = upper(rules.words(state));
    showTokens();
    const counted = isChance && decks > 1 ? `You won ${won} of ${decks}: ${share(won / decks)}. ` : "";
    const verdict = isSum ? `You have ${end}, ${sums().map((each) => number(each)).join(" to ")}. ` : `${where}. `;
    [advice.textContent, happened.textContent] = isMany ? [counted, lost] : end ? [verdict, brought + lost + counted]
      : [judged + (walked ? "" : brought) + (deal ? "Turn the next card. " : "") || "Your move. ", (walked ? brought : "") + lost];
    const isAbove = isChance && (isMany || !end); // to be seen
    const value = make("span", { class: isAbove && "unseen" }, end ? perfect : `: ${worth(state)}`);
    present.replaceChildren(...(end ? [value] : [where, value, "."]));
    element.dataset.end = end;
    standing.replaceChildren(...standings(state));
    pictures.replaceChildren(...rules.pictures.filter((each) => each !== dealing).map(picture));
    if (dealing) deck.replaceChildren(picture(dealing));
    const active = document.activeElement, had = moves.contains(active);
    moves.replaceChildren(...buttons(state));
    held.forEach((part) => { part.style.minBlockSize = getComputedStyle(part).blockSize; });
    const all = [...moves.querySelectorAll("button")];
    if (had) (all.find((each) => each.dataset.move === active.dataset.move) ?? all[0] ?? anew).focus();
    hint.hidden = !rules.players.length;
    rest.hidden = hint.hidden || other; // for a player alone
    hint.disabled = rest.ariaDisabled = !isReader(state); // the latter keeps the focus
    undo.ariaDisabled = lastOwn() < 1;
    log.replaceChildren(...history.slice(1).map((each) => make("li", {},
      `${told(each)}${upper(rules.words(each.state))}.`, each.cost ? ` Cost: ${cost(each.cost)}.` : "")));
  };

  const buttons = (state) => {
    const isOver = rules.isOver(state), next = isOver ? button("Next deck", act("again")) : button("Turn a card", act("turn"));
    if (deal) return [next, button("Turn all", act("turnAll")), button("100 decks", act("playMany"))];
    if (isOver) return [button("Play again", () => start())];
    const all = rules.moves(state);
    if (!isCounted) return all.map(({ name }) => button(name, act("choose", name), dealing ? cards([...name]) : name));
    // "3 from a" is the number 3 and the button "from a".
    const counted = /^(\d+) (.*)$/;
    const parts = all.map((each) => counted.exec(each.name) ?? [0, each.name, ""]);
    const counts = make("select", { "aria-label": "How many" }, ...[...new Set(parts.map((each) => each[1]))].map((each) => make("option", {}, each)));
    const chosen = (kind) => all.find((each) => each.name === `${counts.value} ${kind}`.trim());
    const names = [...new Set(parts.map((each) => each[2]))];
    const kinds = names.map((kind) => button(kind || "choose", () => perform("choose", chosen(kind).name)));
    counts.onchange = () => {
      kinds.forEach((each, place) => { each.disabled = !chosen(names[place]); });
      pictures.querySelectorAll("li").forEach((each) => each.classList.remove("marked"));
    };
    counts.onchange();
    return [counts, ...kinds];
  };

  const picture = (each) => {
    const facts = history.map((one) => rules.facts(one.state)).findLast((one) => each.facts.every((name) => name in one));
    const box = (...inside) => make("div", { class: `picture ${each.kind} ${each.look}` }, make("p", {}, each.title), ...inside);
    if (each === dealing) {
      const { rows, cards: all, turned } = deal ?? dealt(now().state), found = rows[winnerOf(rows, turned)] ?? "";
      return box(cards([...turned], turned.length - found.length, all.length - turned.length));
    }
    if (!facts) return "";
    if (each.kind === "cards") return box(cards([...facts[each.cards]]));
    return each.kind === "pieces" ? box(pieces(each, facts)) : box(...walk(each));
  };
  const cards = (letters, from, left = false) => make("ul", { "data-left": left }, ...letters.map((letter, place) =>
    make("li", { class: `${letter === "R" ? "red" : "black"}${place >= from ? " found" : ""}` }, letter)));
  const pieces = (each, facts) => {
    const [first, last] = endsOf(each, facts), [begin, end] = endsOf(each, rules.facts(history[0].state));
    const able = rules.moves(now().state);
    return make("ul", {}, ...each.labels.flatMap((label, index) => {
      const place = index + 1;
      if (place < first || place > last) return label && !(place < begin || place > end) ? make("li", { class: "gone" }, label) : [];
      const count = place - first + 1;
      const names = [each.take.replace("{n}", count), place === first && each.take_first, place === last && each.take_last];
      const move = able.find((one) => names.includes(one.name));
      const on = move && (isCounted && each.take ? mark(count) : act("choose", move.name));
      return make("li", move ? { class: "able", on } : {}, label);
    }));
  };
  // The number that was clicked, in the list of numbers; so many pieces are marked.
  const mark = (count) => ({ currentTarget }) => {
    const counts = moves.querySelector("select");
    counts.value = count;
    counts.onchange();
    [...currentTarget.parentElement.children].slice(0, count).forEach((one) => one.classList.add("marked"));
  };
  const walk = (each) => {
    const x = (value) => (value / each.length) * 380 + 10;
    const y = (value) => 150 - (Math.min(Math.max(value, each.low), each.high) - each.low) / (each.high - each.low) * 140;
    const places = history.map((one) => rules.facts(one.state)).filter((one) => each.up in one).map((one) => [x(one[each.across]), y(one[each.up])]);
    const [cx, cy] = places.at(-1);
    const frame = make("div", { class: "plane" }), high = y(each.goal);
    const goal = each.goal === null ? "" : `<line x2="400" y1="${high}" y2="${high}"/>`;
    frame.innerHTML = `<svg viewBox="0 0 400 160" aria-hidden="true"><polyline points="${places.join(" ")}"/>${goal}<circle cx="${cx}" cy="${cy}" r="5"/></svg>`;
    const check = make("input", { type: "checkbox", checked: isMap && "", on: () => {
      isMap = !isMap;
      show();
      element.querySelector(".walk input").focus();
    } });
    const swatch = (name, action) => make("span", { class: `swatch action-${action}` }, name);
    const legend = isMap ? [...rules.choices.map(swatch), swatch("either", "any")] : [];
    if (isMap) requestAnimationFrame(() => paint(frame, each, x, y, legend));
    return [frame, make("p", { class: "legend" }, make("label", {}, check, "Shade the best moves"), ...legend)];
  };
  // The best moves of all states of this game behind the walk, in the colours of the legend.
  const paint = (frame, each, x, y, swatches) => {
    const canvas = make("canvas", { width: 800, height: 320 });
    frame.prepend(canvas);
    const brush = canvas.getContext("2d"), wide = 2 * (x(1) - x(0));
    const colours = swatches.map((one) => getComputedStyle(one).borderInlineStartColor);
    const reached = new Set([history[0].state]);
    for (const state of reached) rules.moves(state).forEach((move) => move.outcomes.forEach(({ next }) => reached.add(next)));
    for (const state of reached) {
      const facts = rules.facts(state);
      if (!isReader(state) || facts[each.up] < each.low || facts[each.up] > each.high) continue;
      const good = bestOf(state);
      brush.fillStyle = colours.at(good.length > 1 ? -1 : rules.choices.indexOf(good[0].name));
      const high = Math.max(280 / (each.high - each.low), 3);
      brush.fillRect(2 * x(facts[each.across]) - wide / 2, 2 * y(facts[each.up]) - high / 2, wide, high);
    }
  };
  const focus = () => (moves.querySelector("button") ?? anew).focus({ preventScroll: true });
  return { element, start: () => start(true), focus };
};

window.boardOf = (data, memory) => boardOf(rulesOf(data), memory);
})();
