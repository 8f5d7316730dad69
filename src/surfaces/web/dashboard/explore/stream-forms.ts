// The collapsible forms on a stream's page: filters and columns. They only change the address.
import { html, raw } from "hono/html";
import { formatNumber } from "../../format.ts";
import { attribute, type Html, hidden } from "../../layout.ts";
import { type Pairs, streamAddress } from "./addresses.ts";
import { placeOf, type StreamView } from "./stream-data.ts";
import type { FilterField } from "./stream-filters.ts";
import { type Comparison, columnPairs } from "./stream-state.ts";

export function filterForm(view: StreamView): Html | "" {
  const { filters, state } = view;
  if (filters.length === 0) return "";
  const shown = new Set(
    filters.flatMap(({ name, inputs }) => [...inputs.map(({ param }) => param), ...setParams(name)]),
  );
  const rest = state.pairs.filter(([name]) => !shown.has(name));
  return html`<details class="fold"><summary class="button small">Filter</summary>
<form class="card fold-body" action="${streamAddress(placeOf(view))}">${kept(rest)}
<div class="filter-grid">${filters.map(filterInputs)}</div>
<p class="row"><button class="button primary">Apply</button></p></form></details>`;
}

/** Parameter names that the form replaces with `how` and check boxes. */
const setParams = (name: string): string[] => ["ne", "in", "in][", "exists"].map((op) => `filter[${name}][${op}]`);

const COMPARISON_WORDS: Record<Comparison | "", string> = {
  "": "with or without a value",
  is: "is",
  contains: "contains",
  ne: "is not",
  in: "is one of (separated by commas)",
  exists: "has a value",
  missing: "has no value",
};

function filterInputs(field: FilterField): Html {
  const { name, how } = field;
  if (how === undefined) return valueInputs(field);
  return html`<div>${valueInputs(field)}<select name="how[${name}]" aria-label="Comparison">${how.offered.map(
    (one) =>
      html`<option value="${one}"${one === how.chosen ? raw(" selected") : ""}>${COMPARISON_WORDS[one]}</option>`,
  )}</select></div>`;
}

function severalInputs({ name, options, several = [] }: FilterField): Html | "" {
  if (options.length < 3) return "";
  return html`<details${several.length > 0 ? raw(" open") : ""}><summary>Several</summary>${options.map(
    ({ value, label }) =>
      html`<label class="check"><input type="checkbox" name="filter[${name}][in][]" value="${value}"${attribute("checked", several.includes(value))}><bdi>${label}</bdi></label>`,
  )}</details>`;
}

function valueInputs(field: FilterField): Html {
  const { name, label, kind, inputs, options } = field;
  const list = `values-${name}`;
  if (kind === "choice") {
    const { param, value } = inputs[0]!;
    return html`<label><bdi>${label}</bdi><select name="${param}"><option value="">any</option>${options.map(
      ({ value: own, label: words, count }) =>
        html`<option value="${own}"${own === value ? raw(" selected") : ""}>${words}${count === undefined ? "" : ` (${formatNumber(count)})`}</option>`,
    )}</select></label>${severalInputs(field)}`;
  }
  if (kind === "text") {
    const { param, value } = inputs[0]!;
    const proposals =
      options.length === 0
        ? ""
        : html`<datalist id="${list}">${options.map((option) => html`<option value="${option.value}"></option>`)}</datalist>`;
    return html`<label><bdi>${label}</bdi><input type="text" name="${param}" value="${value}"${options.length === 0 ? "" : html` list="${list}"`}></label>${proposals}`;
  }
  return html`<fieldset><legend><bdi>${label}</bdi></legend><div class="pair">${inputs.map(
    ({ param, label: words, value }) =>
      kind === "days"
        ? html`<label>${words}<input type="date" name="${param}" value="${value}"></label>`
        : html`<label>${words}<input type="text" inputmode="decimal" name="${param}" value="${value}"></label>`,
  )}</div></fieldset>`;
}

export function columnsForm(view: StreamView, csrf: string): Html {
  const { fields, state, views } = view;
  const place = placeOf(view);
  const rest = state.pairs.filter(([name]) => name !== "fields" && name !== "fields[]");
  const presets = views.map(({ id, label = id, fields: names }) => ({ label, pairs: columnPairs(names) }));
  // Visible columns come first, in their order.
  const ordered = fields
    .filter(({ isMember }) => !isMember)
    .sort((one, other) => rank(state.columns, one.name) - rank(state.columns, other.name));
  return html`<details class="fold"><summary class="button small">Columns</summary>
<form class="card fold-body" method="post" action="${streamAddress(place, rest)}">${hidden({ csrf })}
<fieldset><legend>Columns</legend><div class="check-grid">${ordered.map(
    ({ name, label }) =>
      html`<label class="check"><input type="checkbox" name="fields[]" value="${name}"${attribute("checked", state.columns.includes(name))}><bdi>${label}</bdi></label>`,
  )}</div></fieldset>
<p class="row"><button class="button primary">Show these</button><button class="button" name="do" value="usual">Default columns</button>${presets.map(({ label, pairs }) => html`<a href="${streamAddress(place, [...rest, ...pairs])}"><bdi>${label}</bdi></a>`)}</p></form></details>`;
}

const rank = (columns: readonly string[], name: string): number => {
  const at = columns.indexOf(name);
  return at === -1 ? columns.length : at;
};

/** Keeps values that the form does not contain. */
const kept = (pairs: Pairs): Html => html`${pairs.map(([name, value]) => hidden({ [name]: value }))}`;
