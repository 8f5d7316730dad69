// The middle of the consent page: sources, their connections and streams, each with its actual data.
import { html } from "hono/html";
import { cleanDisplayName } from "../../../core/display-name.ts";
import { KIND_NOUNS } from "../../../core/kind-nouns.ts";
import { filedNouns } from "../../../core/kind-words.ts";
import { SPACE_MARK, valueLabels } from "../../../core/value-labels.ts";
import { countOf, formatDay, formatNumber, formatSpan } from "../format.ts";
import { kindFigures } from "../kind-figures.ts";
import { attribute, type Html } from "../layout.ts";
import {
  type ConsentConnection,
  type ConsentExtent,
  type ConsentField,
  type ConsentFiling,
  type ConsentSample,
  type ConsentSource,
  type ConsentStream,
  fieldName,
  onlyName,
  onlyValue,
  type RecordsConsent,
  streamKey,
  typedName,
} from "./consent-view.ts";

/** Up to this many connections are shown expanded. If there are more, only those with requested streams are. */
const OPEN_CONNECTIONS_MAX = 3;
/** With at least this many connections, typing a name is faster than looking for it. */
const FILTER_CONNECTIONS_MIN = 12;
const LENGTHS = { label: 80, text: 240 };

export function sourceList(view: RecordsConsent): Html {
  const { prefilled, sources } = view;
  const connections = sources.reduce((sum, source) => sum + source.connections.length, 0);
  const lead = prefilled
    ? "Current figures from your own data. Optional parts are left out unless you choose them."
    : "It did not ask for anything specific. You choose; it cannot read anything else.";
  const filter =
    connections < FILTER_CONNECTIONS_MIN
      ? ""
      : html`<label class="find-connection" hidden>Find a connection<input type="search" autocomplete="off" spellcheck="false"></label>`;
  return html`<section class="reads" aria-labelledby="reads">
<h2 id="reads">${prefilled ? "What it would read" : "Choose what it may read"}</h2>
<p class="note">${lead}</p>
${connections === 0 ? html`<p class="empty">There is no data here yet that it could read.</p>` : html`${extents(view)}${exceptList(view)}<div class="chosen-sources">${filter}${sources.map((source) => sourceGroup(source, connections, view))}</div>`}
</section>`;
}

const allOf = ({ sources }: RecordsConsent): ConsentConnection[] => sources.flatMap(({ connections }) => connections);
const recordsIn = (connections: readonly ConsentConnection[]): number =>
  connections.reduce((sum, { streams }) => sum + streams.reduce((own, { count }) => own + count, 0), 0);

/** The three ways to answer. A single connection needs no list of exceptions. */
function extents(view: RecordsConsent): Html {
  const all = allOf(view);
  const now = view.answer?.extent ?? "choose";
  const everything = view.prefilled ? "Everything it asks for" : "Everything";
  const choices: [ConsentExtent, string, string][] = [
    ["all", everything, `${countOf(all.length, "connection")}, ${countOf(recordsIn(all), "record")}`],
    ...(all.length < 2
      ? []
      : [["except", `${everything} except …`, "you tick what to leave out"] satisfies [ConsentExtent, string, string]]),
    ["choose", "Choose", "one click for each connection"],
  ];
  return html`<fieldset class="extents"><legend class="visually-hidden">How much it may read</legend>${choices.map(
    ([value, label, note]) =>
      html`<label class="choice"><input type="radio" name="extent" value="${value}"${attribute("checked", value === now)}><span><strong>${label}</strong> <span class="note">${note}</span></span></label>`,
  )}</fieldset>`;
}

function exceptList(view: RecordsConsent): Html | "" {
  const all = allOf(view);
  if (all.length < 2) return "";
  return html`<fieldset class="source except"><legend>Leave these out</legend>${all.map(
    (connection) =>
      html`<label class="choice"><input type="checkbox" name="except" value="${connection.connectionId}"${attribute("checked", view.answer?.except.includes(connection.connectionId))}><span>${nameOf(connection)} <span class="note">${countOf(recordsIn([connection]), "record")}</span></span></label>`,
  )}</fieldset>`;
}

/** Connections with the same name are distinguished by the day when each was added. */
const nameOf = ({ label, added }: ConsentConnection): Html =>
  html`<bdi>${labelOf(label)}</bdi>${added === undefined ? "" : html` <span class="note">added ${added}</span>`}`;

function sourceGroup(source: ConsentSource, shown: number, view: RecordsConsent): Html {
  const { connections } = source;
  const blocks = connections.map((connection) => connectionBlock(connection, source, view, shown));
  if (shown <= OPEN_CONNECTIONS_MAX || connections.length === 1) return html`<div class="source">${blocks}</div>`;
  return html`<details class="source group"${attribute("open", connections.some(isConcerned))}>
<summary><span class="name">${labelOf(source.label)}</span>${figure(countOf(connections.length, "connection"))}</summary>
${blocks}
</details>`;
}

/** One box for the whole connection. While it is ticked, its parts are hidden. */
function connectionBlock(
  connection: ConsentConnection,
  source: ConsentSource,
  { answer, prefilled }: RecordsConsent,
  shown: number,
): Html {
  const { streams, connectionId } = connection;
  const [from, label] = [labelOf(source.label), labelOf(connection.label)];
  const open = shown <= OPEN_CONNECTIONS_MAX || isConcerned(connection);
  const figures = `${prefilled ? "everything it asked for: " : ""}${kindFigures(streams)}`;
  return html`<div class="connection">
<label class="whole"><input type="checkbox" name="connection" value="${connectionId}"${attribute("checked", answer?.connections.includes(connectionId))}>
<span class="name">${label.toLowerCase().startsWith(from.toLowerCase()) ? "" : html`<span class="source-of">${from}</span> `}${nameOf(connection)}</span>${figure(figures)}</label>
<details class="parts"${attribute("open", open)}><summary>Only parts of it<span class="visually-hidden">: ${from} ${label}</span></summary>
<ul class="streams">${streams.map((stream) => streamRow(connectionId, `${from} ${label}`, stream))}</ul>
</details></div>`;
}

function figure(text: string): Html {
  return html`<span class="figure">${text}</span>`;
}

/**
 * Labels come from declarations and accounts. They are limited in length, so that no label can push the rest of the
 * page out of view.
 */
function labelOf(text: string): string {
  return cleanDisplayName(text, LENGTHS.label) || "unnamed";
}

function isConcerned({ streams }: ConsentConnection): boolean {
  return streams.some((stream) => stream.required || stream.requested || stream.checked);
}

function streamRow(connectionId: string, place: string, stream: ConsentStream): Html {
  const { name, detail, required, alternative, requested, limits, checked, count, timeField } = stream;
  const key = streamKey(connectionId, name);
  const span = formatSpan(stream.since, stream.until);
  const kind = required
    ? html`<span class="badge solid">Required</span>`
    : requested
      ? html`<span class="badge">Optional</span>`
      : "";
  const need = alternative
    ? "The app needs this from one connection; choose which one."
    : "The app says that it cannot work without this.";
  const missing = required ? html`<span class="missing">${need}</span>` : "";
  return html`<li class="stream" data-count="${count}"${stream.kind === undefined ? "" : html` data-noun="${KIND_NOUNS[stream.kind]}"`}>
<label class="stream-pick"><input type="checkbox" name="stream" value="${key}"${attribute("checked", checked)}>
<span class="stream-title"><span class="name">${labelOf(stream.label)}</span> ${kind}</span>
<span class="stream-figures"><strong>${countOf(count, "record")}</strong> <span>${span ?? (timeField === undefined ? "not dated" : "")}</span></span>
${detail === undefined ? "" : html`<span class="stream-detail">${cleanDisplayName(detail, LENGTHS.text)}</span>`}${limits === undefined ? "" : html`<span class="stream-detail">${limits}</span>`}${missing}</label>
<div class="stream-more">${filingList(key, place, stream)}${fieldList(key, place, stream)}${samples(place, stream)}</div>
</li>`;
}

function fieldList(key: string, place: string, stream: ConsentStream): Html | "" {
  const { fields, presets } = stream;
  if (fields.length === 0) return "";
  const chosen = fields.filter((field) => field.always || field.checked).length;
  const words = chosen === fields.length ? allFields(chosen) : `${chosen} of ${countOf(fields.length, "field")}`;
  return html`<details class="fields">
<summary><span class="chosen-fields">${words}</span>${ofStream(stream, place)}</summary>
<p class="presets" hidden>${presets.map((preset) => html`<button type="button" class="small" data-fields="${JSON.stringify(preset.fields)}">${labelOf(preset.label)}</button> `)}</p>
<ul>${fields.map((field) => fieldRow(key, field))}</ul>
</details>`;
}

/**
 * Lists chats, folders or categories. If none is ticked, the stream is not limited. Ticking one also ticks the stream.
 */
function filingList(key: string, place: string, stream: ConsentStream): Html | "" {
  const { filing } = stream;
  if (filing === undefined) return "";
  return html`<details class="fields filing"${attribute("open", isFiled(filing))}>
<summary>Only some ${filedNouns(filing.role).many}${ofStream(stream, place)}</summary>
${filingBoxes(key, filing)}
</details>`;
}

export const isFiled = ({ values }: ConsentFiling): boolean => values.some(({ checked }) => checked);

/** This many values are visible; the others are collapsed. */
const VALUES_IN_SIGHT = 20;

export function filingBoxes(key: string, { field, role, values, others }: ConsentFiling): Html {
  const labels = valueLabels(
    values.map(({ value }) => value),
    LENGTHS.label,
  );
  const { many } = filedNouns(role);
  const box = ({ value, count, checked }: ConsentFiling["values"][number], index: number): Html =>
    html`<li><label><input type="checkbox" name="${onlyName(key)}" value="${onlyValue(field, value)}"${attribute("checked", checked)}${count === undefined ? "" : html` data-count="${count}"`}><span><bdi>${labels[index]}</bdi>${count === undefined ? "" : html` <span class="note">${formatNumber(count)}</span>`}</span></label></li>`;
  const boxes = values.map(box);
  const folded = values.slice(VALUES_IN_SIGHT);
  const more =
    folded.length === 0
      ? ""
      : html`<details class="more-values"${attribute(
          "open",
          folded.some(({ checked }) => checked),
        )}><summary>${formatNumber(folded.length)} more ${many}</summary><ul>${boxes.slice(VALUES_IN_SIGHT)}</ul></details>`;
  const marked = labels.some((label) => label.includes(SPACE_MARK))
    ? html`<p class="note">${SPACE_MARK} is a space in the name.</p>`
    : "";
  return html`<ul>${boxes.slice(0, VALUES_IN_SIGHT)}</ul>${more}${marked}${others === 0 ? "" : typedValues(key, field, others, many)}`;
}

/** A field for values that are not listed. */
const typedValues = (key: string, field: string, others: number, many: string): Html =>
  html`<label class="typed-values">Others<textarea name="${typedName(key, field)}" rows="2" autocomplete="off" spellcheck="false"></textarea><span class="note">${countOf(others, "record")} in ${many} that are not listed. Enter the names exactly as they appear in your data, one per line.</span></label>`;

function allFields(count: number): string {
  return count === 1 ? "1 field" : `All ${count} fields`;
}

function fieldRow(key: string, { name, label, description, always, checked }: ConsentField): Html {
  const box = always
    ? html`<input type="checkbox" checked disabled>`
    : html`<input type="checkbox" name="${fieldName(key)}" value="${name}"${attribute("checked", checked)}>`;
  const about = [...(always ? ["always included"] : []), ...(description === undefined ? [] : [description])].join(
    "; ",
  );
  const detail = about === "" ? "" : html`<span class="field-detail">${cleanDisplayName(about, LENGTHS.text)}</span>`;
  return html`<li><label>${box}<span>${labelOf(label ?? name)}</span>${detail}</label></li>`;
}

/** Tells screen readers which stream a collapsed section belongs to. */
function ofStream({ label }: ConsentStream, place: string): Html {
  return html`<span class="visually-hidden"> of ${labelOf(label)}, ${place}</span>`;
}

function samples(place: string, stream: ConsentStream): Html | "" {
  const { samples: rows = [] } = stream;
  if (rows.length === 0) return "";
  return html`<details class="samples"><summary>${countOf(rows.length, "sample")}${ofStream(stream, place)}</summary><ol>${rows.map(sampleRow)}</ol></details>`;
}

function sampleRow({ title, when, preview }: ConsentSample): Html {
  const time = when === undefined ? "" : html`<time datetime="${when}">${formatDay(when)}</time>`;
  const text =
    preview === undefined
      ? ""
      : html`<span class="sample-text"><bdi>${cleanDisplayName(preview, LENGTHS.text)}</bdi></span>`;
  return html`<li><span class="name"><bdi>${labelOf(title)}</bdi></span>${time}${text}</li>`;
}
