// Shows one record value to people in short form, for a table cell or a list line.
import { html } from "hono/html";
import type { BlobRef } from "../../../../contract/blob.ts";
import type { JsonObject, JsonValue } from "../../../../contract/record.ts";
import { namingField } from "../../../../core/guesses.ts";
import { formatDay, formatNumber } from "../../format.ts";
import type { Html } from "../../layout.ts";
import type { Times } from "../../times.ts";
import type { FieldKind } from "./stream-fields.ts";

/** The maximum number of characters in a cell. The rest is on the record's own page. */
const CELL_MAX = 120;
const NOTHING = html`<span class="none">–</span>`;

export function cell(kind: FieldKind, name: string, value: JsonValue | undefined, times: Times): Html {
  if (value === undefined || value === null || value === "") return NOTHING;
  if (typeof value === "boolean") return html`${value ? "Yes" : "No"}`;
  if (typeof value === "number") return html`${numberWords(name, value)}`;
  if (typeof value === "string") {
    if (kind === "time") return times.instant(value);
    return html`<bdi>${kind === "day" ? formatDay(value) : oneLine(value)}</bdi>`;
  }
  const text = shortly(value);
  return text === "" ? NOTHING : html`<bdi>${text}</bdi>`;
}

const EXACT = new Intl.NumberFormat("en", { maximumFractionDigits: 20 });

/**
 * Shows every stored digit, because a geographic position is useless without them. A year has no thousands separator.
 */
export function numberWords(name: string, value: number): string {
  const isTiny = value !== 0 && Math.abs(value) < 1e-15;
  return isTiny || /(^|_)year($|_)/.test(name) ? String(value) : EXACT.format(value);
}

export function oneLine(text: string, most = CELL_MAX): string {
  // A text can be several megabytes, so only its beginning is read.
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/g, " ")
    .trim();
  const points = [...line];
  return points.length <= most && text.length <= most * 4 ? line : `${points.slice(0, most - 1).join("")}…`;
}

/** Shows a list or an object in a few words, using names if there are any. */
function shortly(value: JsonValue): string {
  if (value === null) return "";
  if (Array.isArray(value)) return oneLine(value.slice(0, 20).map(shortly).join(", "));
  if (typeof value !== "object") return oneLine(String(value));
  const blob = blobIn(value);
  if (blob !== undefined) return `${blob.mime_type}, ${sizeWords(blob.size_bytes)}`;
  const name = namingField(value);
  return oneLine(name === undefined ? JSON.stringify(value) : (value[name] as string));
}

/** Returns the blob if an object is a reference to one, with the fields that a page needs. */
export function blobIn(value: JsonObject): Pick<BlobRef, "blob_id" | "mime_type" | "size_bytes"> | undefined {
  const { blob_id, mime_type, size_bytes } = value;
  return typeof blob_id === "string" && typeof mime_type === "string" && typeof size_bytes === "number"
    ? { blob_id, mime_type, size_bytes }
    : undefined;
}

const UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** "312 KB" */
export function sizeWords(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1];
  const shown = unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${formatNumber(shown)} ${UNITS[unit]}`;
}
