// The consent page, improved: live figures of what is ticked, ticks for many at once, a filter. The page works without it.
const form = document.querySelector("form.consent");
const summary = form.querySelector(".summary");
const filter = form.querySelector(".filter");
const streams = [...form.querySelectorAll(".stream:has(input[name=stream])")].map((row) => ({
  row,
  box: row.querySelector("input[name=stream]"),
  fields: [...row.querySelectorAll(".fields li input")],
}));
const number = new Intl.NumberFormat("en");
const countOf = (count, one) => `${number.format(count)} ${one}${count === 1 ? "" : "s"}`;

function show() {
  const chosen = streams.filter(({ box }) => box.checked);
  const records = chosen.reduce((sum, { row }) => sum + Number(row.dataset.count), 0);
  const narrowed = ["since", "until"].some((name) => form.elements[name]?.value);
  const { stream, record } = summary.dataset;
  const counted = Number.isNaN(records) ? "" : `, ${narrowed ? "at most " : ""}${countOf(records, record)}`;
  const some = `${countOf(chosen.length, stream)}${counted}. Nothing else.`;
  summary.textContent = chosen.length === 0 ? "Nothing is chosen yet." : some;
}

function showFields({ row, fields }) {
  const chosen = fields.filter((field) => field.checked).length;
  const words = row.querySelector(".chosen-fields");
  words.textContent =
    chosen < fields.length
      ? `${chosen} of ${countOf(fields.length, "field")}`
      : chosen === 1
        ? "1 field"
        : `All ${chosen} fields`;
}

for (const part of form.querySelectorAll(".presets, .all, .filter")) part.hidden = false;

form.addEventListener("click", ({ target }) => {
  const { tick, fields } = target.dataset;
  if (tick !== undefined) {
    for (const box of target.closest(".connection").querySelectorAll("input[name=stream]"))
      box.checked = tick === "all";
    show();
  }
  if (fields !== undefined) {
    const stream = streams.find(({ row }) => row.contains(target));
    const wanted = new Set(JSON.parse(fields));
    for (const field of stream.fields) if (!field.disabled) field.checked = wanted.has(field.value);
    showFields(stream);
  }
});

form.addEventListener("change", ({ target }) => {
  if (target.name.startsWith("field:")) showFields(streams.find(({ row }) => row.contains(target)));
  show();
});

filter?.addEventListener("input", ({ target }) => {
  const wanted = target.value.trim().toLowerCase();
  for (const source of form.querySelectorAll(".source")) {
    const connections = [...source.querySelectorAll(".connection")];
    for (const connection of connections)
      connection.hidden = !connection.querySelector(".name").textContent.toLowerCase().includes(wanted);
    source.hidden = connections.every((connection) => connection.hidden);
    if (wanted !== "") source.open = !source.hidden;
  }
});
// Return in the filter must not send the form.
filter?.addEventListener("keydown", (event) => {
  if (event.key === "Enter") event.preventDefault();
});

// Fields of streams that are not ticked say nothing; leaving them out keeps the answer small.
form.addEventListener("submit", () => {
  for (const { box, fields } of streams) if (!box.checked) for (const field of fields) field.disabled = true;
});
// The back button may bring the page back as it was sent.
addEventListener("pageshow", () => {
  for (const { fields } of streams) for (const field of fields) field.disabled = field.name === "";
  show();
});
