// Searches the documents. The index is loaded when the first letter is typed. Sections that contain all words come
// first.
const field = document.getElementById("q");
const list = document.getElementById("results");
const root = document.body.dataset.root;
const SHOWN = 12;
let index;

field.addEventListener("input", show);
field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelector("a")?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
  } else if (event.key === "Escape") {
    field.value = "";
    show();
  }
});

async function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  index ??= fetch(`${root}/search.json`).then((answer) => answer.json());
  const sections = words.length === 0 ? [] : await index;
  const found = sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN);
  list.replaceChildren(...found.map(({ section }) => item(section, words)));
  if (words.length > 0 && found.length === 0)
    list.append(Object.assign(document.createElement("li"), { textContent: "No section contains these words." }));
  list.hidden = words.length === 0;
}

function scoreOf({ title, heading, text }, words) {
  let score = 0;
  let found = 0;
  for (const word of words) {
    const inHeading = heading.toLowerCase().includes(word) ? 5 : title.toLowerCase().includes(word) ? 2 : 0;
    const inText = text.toLowerCase().split(word).length - 1;
    if (inHeading + inText > 0) found++;
    score += inHeading + Math.min(inText, 5);
  }
  return found === words.length ? score : 0;
}

function item({ page, title, heading, text }, words) {
  const row = document.createElement("li");
  const link = Object.assign(document.createElement("a"), {
    href: `${root}/${page}`,
    textContent: heading === title ? title : `${title}: ${heading}`,
  });
  const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60);
  const passage = Object.assign(document.createElement("p"), { textContent: text.slice(at, at + 180) });
  row.append(link, passage);
  return row;
}
