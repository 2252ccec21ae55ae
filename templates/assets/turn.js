// Exchanges the article of a post for that of one of its settings, whose page the links lead to without this script.
(() => {
  "use strict";
  const article = () => document.querySelector("main > article");
  const control = () => document.querySelector(".prose > .turn");
  if (!control()) return;
  let isPinned = false, wanted = 0, path = location.pathname;

  const pin = () => {
    const button = control().querySelector("button");
    button.hidden = false;
    button.setAttribute("aria-pressed", isPinned);
    control().classList.toggle("pinned", isPinned);
  };

  // What is outside of the article is written for the address of the first page.
  const settle = () => {
    for (const each of document.querySelectorAll("a[href]")) if (!each.closest("article")) each.href = each.href;
  };

  const scripts = (page) => [...page.scripts].map((each) => each.src.split("/").pop());
  const blocks = (root) => [...root.querySelectorAll(":scope > :is(header, .prose, .before-solution) > *")];
  // What readers see of a block, without what they see where no script runs, and the data of figures, which settings have not.
  const words = (block) => {
    let text = block.textContent;
    for (const { textContent } of block.querySelectorAll("noscript, .figure-data")) text = text.replace(textContent, "");
    return text.replace(/\s+/g, "") + [...block.querySelectorAll("img")].map((each) => each.src.split("/").pop());
  };
  const all = (root) => new Set(blocks(root).map(words));
  let before = all(article()); // as written, before other scripts add to it

  // The last heading or figure above the middle of the window that the other page has too, which keeps its place.
  const read = (page) => {
    const above = [...article().querySelectorAll(".prose > [id]")]
      .findLast((each) => each.getBoundingClientRect().top < innerHeight / 2 && page.getElementById(each.id));
    return scrollY && above ? { id: above.id, top: above.getBoundingClientRect().top } : null;
  };

  const show = async (address, isNew) => {
    const turn = ++wanted;
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (turn !== wanted) return;
    if (scripts(page).some((each) => !scripts(document).includes(each))) throw new Error("it needs more scripts");
    const here = read(page), had = control().contains(document.activeElement);
    settle();
    if (isNew) history.pushState(null, "", address); // before the addresses of the new article are resolved
    path = location.pathname;
    document.title = page.title;
    const made = document.adoptNode(page.querySelector("main > article"));
    article().replaceWith(made);
    pin();
    if (had) control().querySelector("[aria-current]")?.focus({ preventScroll: true });
    if (here) {
      const { top } = document.getElementById(here.id).getBoundingClientRect();
      scrollBy({ top: top - here.top, behavior: "instant" });
    }
    const fresh = blocks(made).filter((each) => !each.matches(".turn, .figure-data") && !before.has(words(each)));
    before = all(made);
    fresh.forEach((each) => each.classList.add("just-turned"));
    document.dispatchEvent(new CustomEvent("turned", { detail: blocks(made) }));
  };

  document.addEventListener("click", (event) => {
    if (!control()?.contains(event.target)) return;
    if (event.target.closest("button")) {
      isPinned = !isPinned;
      pin();
    }
    const link = event.target.closest("a");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (location.protocol === "file:") location.assign(`${link.href}index.html`); // which a page cannot read
    else show(link.href, true).catch(() => location.assign(link.href));
  });
  addEventListener("popstate", () => {
    if (location.pathname !== path) show(location.href, false).catch(() => location.reload());
  });
  pin();
})();
