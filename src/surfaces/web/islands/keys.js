// The dashboard's keyboard shortcuts: Ctrl-K opens a list of places, j and k move through a list, and ? shows the keys.
{
  const base = location.pathname.split("/dashboard")[0];
  const SHOWN = 12;
  const isTyping = (target) => target.closest("input, textarea, select, dialog, [contenteditable]") !== null;
  const plain = (text) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  // The list of places, a combobox as described in the ARIA Authoring Practices.
  const list = element("ul", { role: "listbox", id: "palette-list", "aria-label": "Places" });
  const input = element("input", {
    type: "text",
    role: "combobox",
    "aria-label": "Go to or search",
    "aria-controls": "palette-list",
    "aria-expanded": "true",
    "aria-autocomplete": "list",
    placeholder: "Go to a page, source or person, or search",
    autocomplete: "off",
    spellcheck: "false",
  });
  const palette = element("dialog", { class: "palette", "aria-label": "Go to" }, input, list);
  let places = [];
  let active = 0;

  /** Better matches come first: at the start of the name, at the start of a word, then anywhere. */
  const rankOf = (label, words) => {
    const text = plain(label);
    if (!words.every((word) => text.includes(word))) return undefined;
    if (text.startsWith(words[0] ?? "")) return 0;
    return text.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(words[0])) ? 1 : 2;
  };

  const matching = () => {
    const words = plain(input.value).split(/\s+/).filter(Boolean);
    const found = places
      .map((place) => ({ place, rank: rankOf(`${place.label} ${place.kind}`, words) }))
      .filter(({ rank }) => rank !== undefined)
      .sort((one, other) => one.rank - other.rank)
      .slice(0, SHOWN)
      .map(({ place }) => place);
    const q = input.value.trim();
    const search = {
      label: `Search for “${q}”`,
      kind: "Search",
      href: `/dashboard/explore?q=${encodeURIComponent(q)}`,
    };
    return q === "" ? found : [...found, search];
  };

  const show = () => {
    const found = matching();
    active = Math.max(0, Math.min(active, found.length - 1));
    list.replaceChildren(
      ...found.map(({ label, kind, href }, index) =>
        element(
          "li",
          { role: "option", id: `palette-${index}`, "aria-selected": String(index === active), "data-href": href },
          element("bdi", {}, label),
          element("span", { class: "note" }, kind),
        ),
      ),
    );
    input.setAttribute("aria-activedescendant", found.length === 0 ? "" : `palette-${active}`);
    list.children[active]?.scrollIntoView({ block: "nearest" });
  };

  const go = (option) => option && location.assign(base + option.dataset.href);

  input.addEventListener("input", () => {
    active = 0;
    show();
  });
  input.addEventListener("keydown", (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key === "Enter") {
      event.preventDefault();
      go(list.children[active]);
    } else if (event.key in steps) {
      event.preventDefault();
      active = (active + steps[event.key] + list.children.length) % Math.max(1, list.children.length);
      show();
    }
  });
  list.addEventListener("click", ({ target }) => go(target.closest("[role=option]")));
  palette.addEventListener("click", ({ target }) => target === palette && palette.close());

  async function openPalette() {
    if (!palette.isConnected) document.body.append(palette);
    input.value = "";
    active = 0;
    palette.showModal();
    show();
    const answer = await fetch(`${base}/dashboard/go.json`);
    if (answer.ok) ({ destinations: places } = await answer.json());
    show();
  }

  const keys = element("dialog", { class: "key-list", "aria-label": "Keys" });
  keys.addEventListener("click", ({ target }) => target === keys && keys.close());

  async function openKeys() {
    const answer = await fetch(`${base}/dashboard/help`);
    if (!answer.ok) return;
    const help = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("keys");
    const close = element("form", { method: "dialog" }, element("button", { class: "button" }, "Close"));
    keys.replaceChildren(help, close);
    if (!keys.isConnected) document.body.append(keys);
    keys.showModal();
  }

  /** Returns the first link of each visible item, in the main list if the page has one. */
  function items() {
    const room = document.getElementById("list") ?? document.getElementById("main");
    const rows = [...room.querySelectorAll("li, tbody tr, article")].filter(
      (row) => row.closest("nav, form, .filters, .chips, .crumbs") === null,
    );
    const links = rows.map((row) => row.querySelector("a[href], summary"));
    return [...new Set(links)].filter((link) => link !== null && link.getClientRects().length > 0);
  }

  function step(by) {
    const links = items();
    if (links.length === 0) return;
    const at = links.indexOf(document.activeElement);
    const next = at === -1 ? (by > 0 ? 0 : links.length - 1) : Math.max(0, Math.min(at + by, links.length - 1));
    links[next].focus();
    links[next].scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      if (palette.open) palette.close();
      else openPalette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "Escape" && document.querySelector("dialog[open]") === null) {
      const { activeElement } = document;
      if (isTyping(activeElement)) activeElement.blur();
      else if (items().includes(activeElement)) document.getElementById("main").focus();
      return;
    }
    if (isTyping(event.target)) return;
    if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "?") openKeys();
  });

  for (const link of document.querySelectorAll("a[data-palette]"))
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      openPalette();
    });
}
