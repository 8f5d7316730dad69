// The middle of the consent page: sources, their connections and streams, each with what is really there.
import { html } from "hono/html";
import { cleanDisplayName } from "../../../core/display-name.ts";
import { countOf, formatDay, formatSpan } from "../format.ts";
import { attribute, type Html } from "../layout.ts";
import {
  type ConsentConnection,
  type ConsentField,
  type ConsentSample,
  type ConsentSource,
  type ConsentStream,
  fieldName,
  type RecordsConsent,
  streamKey,
} from "./consent-view.ts";

/** Up to so many connections stand open; more are folded, and open where something is asked for. */
const OPEN_CONNECTIONS_MAX = 3;
/** From so many on, typing a name is quicker than looking for it. */
const FILTER_CONNECTIONS_MIN = 12;
const LENGTHS = { label: 80, text: 240 };

export function sourceList({ prefilled, sources }: RecordsConsent): Html {
  const connections = sources.reduce((sum, source) => sum + source.connections.length, 0);
  const lead = prefilled
    ? "Current figures of your own data. Untick what it should not have; optional items are left out unless you tick them."
    : "It did not say what it wants. Tick what it may have; everything else stays closed to it.";
  const filter =
    connections < FILTER_CONNECTIONS_MIN
      ? ""
      : html`<label class="filter" hidden>Find a connection<input type="search" autocomplete="off" spellcheck="false"></label>`;
  return html`<section class="reads" aria-labelledby="reads">
<h2 id="reads">${prefilled ? "What it would read" : "Choose what it may read"}</h2>
<p class="note">${lead}</p>
${filter}
${connections === 0 ? html`<p class="empty">There is no data here yet that it could read.</p>` : sources.map((source) => sourceGroup(source, connections))}
</section>`;
}

function sourceGroup(source: ConsentSource, shown: number): Html {
  const { connections } = source;
  const blocks = connections.map((connection) => connectionBlock(connection, source, shown));
  if (shown <= OPEN_CONNECTIONS_MAX || connections.length === 1) return html`<div class="source">${blocks}</div>`;
  return html`<details class="source group"${attribute("open", connections.some(isConcerned))}>
<summary><span class="name">${labelOf(source.label)}</span>${figure(countOf(connections.length, "connection"))}</summary>
${blocks}
</details>`;
}

function connectionBlock(connection: ConsentConnection, source: ConsentSource, shown: number): Html {
  const { streams, connectionId } = connection;
  const [from, label] = [labelOf(source.label), labelOf(connection.label)];
  const open = shown <= OPEN_CONNECTIONS_MAX || isConcerned(connection);
  const records = streams.reduce((sum, stream) => sum + stream.count, 0);
  const all =
    streams.length < 2
      ? ""
      : html`<p class="all" hidden><button type="button" class="small" data-tick="all">Tick all</button> <button type="button" class="small" data-tick="none">Untick all</button></p>`;
  return html`<details class="connection"${attribute("open", open)}>
<summary><span class="name">${from === label ? "" : html`<span class="source-of">${from}</span> `}<bdi>${label}</bdi></span>${figure(`${countOf(streams.length, "stream")}, ${countOf(records, "record")}`)}</summary>
${all}
<ul class="streams">${streams.map((stream) => streamRow(connectionId, `${from} ${label}`, stream))}</ul>
</details>`;
}

/** Figures of a group, and a dot that fills when something in it is ticked. */
function figure(text: string): Html {
  return html`<span class="figure">${text}</span><span class="chosen" aria-hidden="true"></span>`;
}

/** Labels come from declarations and accounts: bounded, so that none can push the rest away. */
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
    ? "It needs this from one connection; choose which."
    : "It says that it cannot work without this.";
  const missing = required ? html`<span class="missing">${need}</span>` : "";
  return html`<li class="stream" data-count="${count}">
<label class="stream-pick"><input type="checkbox" name="stream" value="${key}"${attribute("checked", checked)}>
<span class="stream-title"><span class="name">${labelOf(stream.label)}</span> ${kind}</span>
<span class="stream-figures"><strong>${countOf(count, "record")}</strong> <span>${span ?? (timeField === undefined ? "not dated" : "")}</span></span>
${detail === undefined ? "" : html`<span class="stream-detail">${cleanDisplayName(detail, LENGTHS.text)}</span>`}${limits === undefined ? "" : html`<span class="stream-detail">${limits}</span>`}${missing}</label>
<div class="stream-more">${fieldList(key, place, stream)}${samples(place, stream)}</div>
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

function allFields(count: number): string {
  return count === 1 ? "1 field" : `All ${count} fields`;
}

function fieldRow(key: string, { name, label, description, always, checked }: ConsentField): Html {
  const box = always
    ? html`<input type="checkbox" checked disabled>`
    : html`<input type="checkbox" name="${fieldName(key)}" value="${name}"${attribute("checked", checked)}>`;
  const about = [...(always ? ["always goes along"] : []), ...(description === undefined ? [] : [description])].join(
    "; ",
  );
  const detail = about === "" ? "" : html`<span class="field-detail">${cleanDisplayName(about, LENGTHS.text)}</span>`;
  return html`<li><label>${box}<span>${labelOf(label ?? name)}</span>${detail}</label></li>`;
}

/** For who hears the page: which stream a fold belongs to. */
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
