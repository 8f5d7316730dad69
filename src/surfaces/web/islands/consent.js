// Improves the consent page with live figures for the ticked items, the sentence that describes them, and a filter. The
// page works without it.
const form = document.querySelector("form.consent");
const summary = form.querySelector(".summary");
const filter = form.querySelector(".find-connection");
const streams = [...form.querySelectorAll(".stream:has(input[name=stream])")].map((row) => ({
  row,
  box: row.querySelector("input[name=stream]"),
  fields: [...row.querySelectorAll(".fields:not(.filing) li input")],
  values: [...row.querySelectorAll(".filing :is(input, textarea)")],
}));
const number = new Intl.NumberFormat("en");
const countOf = (count, one) => `${number.format(count)} ${one}${count === 1 ? "" : "s"}`;

const extent = () => form.elements.extent?.value ?? "choose";
const isTicked = (name, value) =>
  [...form.querySelectorAll(`input[name=${name}]:checked`)].some((box) => box.value === value);

const connectionOf = ({ row }) => row.closest("div.connection")?.querySelector("input[name=connection]").value;

/**
 * Returns true if all of a stream is chosen, which depends on the selected extent. A ticked connection includes all its
 * streams.
 */
function isWhole(stream) {
  const connection = connectionOf(stream);
  if (extent() === "all") return true;
  if (extent() === "except") return !isTicked("except", connection);
  return connection !== undefined && isTicked("connection", connection);
}

const isChosen = (stream) => isWhole(stream) || (extent() === "choose" && stream.box.checked);

/** A value is picked if it is ticked, or if its name is typed. */
const isPicked = ({ type, checked, value }) => (type === "checkbox" ? checked : value.trim() !== "");

/**
 * Returns the number of records in the picked chats, folders or categories of a stream, or in the whole stream if none
 * is picked. Typed ones are not counted.
 */
function recordsOf(stream) {
  const picked = isWhole(stream) ? [] : stream.values.filter(isPicked);
  if (picked.length === 0) return Number(stream.row.dataset.count);
  if (picked.some(({ type }) => type !== "checkbox")) return Number.NaN;
  return picked.reduce((sum, { dataset }) => sum + Number(dataset.count ?? 0), 0);
}

/** How many kinds are named, as in src/surfaces/web/kind-figures.ts. */
const NAMED = 3;

/** Returns, for example, `5,929 messages and 3 other records`. */
function kindFigures(chosen, total) {
  const nouns = [...new Set(chosen.map(({ row }) => row.dataset.noun))];
  const named = nouns
    .map((noun) => ({ noun, count: sumOf(chosen.filter(({ row }) => row.dataset.noun === noun)) }))
    .filter(({ noun, count }) => noun !== undefined && count > 0)
    .sort((first, second) => second.count - first.count)
    .slice(0, NAMED);
  if (named.length === 0) return countOf(total, "record");
  const others = named.reduce((rest, { count }) => rest - count, total);
  const words = named.map(({ count, noun }) => countOf(count, noun));
  if (others > 0) words.push(countOf(others, "other record"));
  return words.length === 1 ? words[0] : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

const sumOf = (chosen) => chosen.reduce((sum, stream) => sum + recordsOf(stream), 0);

/** Says how much is chosen. A chat whose name was typed is not counted, so in that case the exact number is unknown. */
function figuresOf(chosen) {
  const total = sumOf(chosen);
  if (summary.dataset.lens === "files")
    return `${countOf(chosen.length, "folder")}${Number.isNaN(total) ? "" : `, ${countOf(total, "file")}`}. `;
  if (Number.isNaN(total)) return "";
  const narrowed = ["since", "until"].some((name) => form.elements[name]?.value);
  return `${narrowed ? "At most " : ""}${kindFigures(chosen, total)}. `;
}

function show() {
  const chosen = streams.filter(isChosen);
  const some = `${figuresOf(chosen)}Nothing else.`;
  summary.textContent = chosen.length === 0 ? "Nothing is chosen yet." : some;
  if (chosen.length > 0 && look !== null) sayInWords(some);
}

/** Fields and values of unticked streams do not matter, so they are omitted to keep the request small. */
function answerNow() {
  const body = new URLSearchParams(new FormData(form));
  for (const { box, fields, values } of streams)
    if (!box.checked) for (const { name } of [...fields, ...values]) body.delete(name);
  return body;
}

let asked;
/** The sentence comes from the server, which phrases it the same way everywhere. The count stays below it. */
function sayInWords(some) {
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  const body = answerNow();
  body.set("decision", "look");
  const headers = { accept: "application/json" };
  setTimeout(async () => {
    if (signal.aborted) return;
    const answer = await fetch(form.action, { method: "POST", body, headers, signal }).catch(() => undefined);
    const { allows, problem } = (await answer?.json().catch(() => undefined)) ?? {};
    if (signal.aborted || (allows ?? problem) === undefined) return;
    summary.textContent = allows === undefined ? problem : `It may see: ${allows}. ${some}`;
  }, 250);
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

for (const part of form.querySelectorAll(".presets, .find-connection")) part.hidden = false;
const look = form.querySelector(".in-words");
if (look !== null) look.hidden = true;

form.addEventListener("click", ({ target }) => {
  const { fields } = target.dataset;
  if (fields !== undefined) {
    const stream = streams.find(({ row }) => row.contains(target));
    const wanted = new Set(JSON.parse(fields));
    for (const field of stream.fields) if (!field.disabled) field.checked = wanted.has(field.value);
    showFields(stream);
    // The sentence names the fields.
    show();
  }
});

form.addEventListener("change", ({ target }) => {
  const stream = streams.find(({ row }) => row.contains(target));
  if (target.name.startsWith("field:")) showFields(stream);
  // A stream is ticked as long as one of its chats is. If it stayed ticked without any chat, that would mean all of
  // them.
  if (/^(?:only|typed):/.test(target.name)) stream.box.checked = stream.values.some(isPicked);
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
// Pressing Return in the filter must not submit the form.
filter?.addEventListener("keydown", (event) => {
  if (event.key === "Enter") event.preventDefault();
});

form.addEventListener("submit", () => {
  for (const { box, fields, values } of streams)
    if (!box.checked) for (const input of [...fields, ...values]) input.disabled = true;
});
// The back button may show the page in the state in which it was sent.
addEventListener("pageshow", () => {
  for (const { fields, values } of streams) {
    for (const field of fields) field.disabled = field.name === "";
    for (const value of values) value.disabled = false;
  }
  show();
});
