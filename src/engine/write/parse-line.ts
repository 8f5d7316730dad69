// Checks one record, from an ingest line or an importer, against its stream's declaration, and turns it into a change.
import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { PdppError } from "../../contract/errors.ts";
import { canonicalKey } from "../../contract/key.ts";
import { INGEST, JSON_DEPTH_MAX } from "../../contract/limits.ts";
import type { JsonObject, JsonValue, Provenance, RecordInput } from "../../contract/record.ts";
import { emissionTime } from "../../core/emission.ts";
import { columnValue } from "../../core/fields.ts";
import type { RecordLimits } from "../../core/history.ts";
import { parseInstant } from "../../core/instant.ts";
import { scanJson } from "../../core/json-depth.ts";
import { filterValues } from "../../core/record-filter.ts";
import { compileSchema } from "../../core/record-schema.ts";
import type { StreamShape } from "../../core/scope.ts";
import type { Change } from "../../store/store.ts";

/** Some exports begin with a byte order mark, and concatenated exports contain several. */
const BYTE_ORDER_MARK = "\ufeff";
const KNOWN = new Set(["stream", "key", "data", "emitted_at", "op", "provenance"]);
const PROVENANCE: Record<keyof Provenance, "string" | "number"> = {
  run_id: "string",
  connector: "string",
  file: "string",
  digest: "string",
  entry: "string",
  offset: "number",
};
const validators = new WeakMap<StreamShape["declaration"], ValidateFunction>();

function validatorOf(stream: StreamShape): ValidateFunction {
  let validate = validators.get(stream.declaration);
  if (validate === undefined) {
    validate = compileSchema(stream.declaration.schema);
    validators.set(stream.declaration, validate);
  }
  return validate;
}

/** `now` is the emission time, unless the line contains a valid one. */
export function parseLine(line: string, stream: StreamShape, now: number): Change {
  return changeFrom(parseText(line), stream, now);
}

export interface ParsedRecord {
  key: string | string[];
  /**
   * The data as JSON.stringify wrote it. It is stored in this form, because writing it again would give the same text.
   */
  text: string;
  origin: string;
}

/**
 * A record from an importer. `emittedAt` is the time of the import, because a file does not contain the time of its
 * export.
 */
export function parseFound({ key, text, origin }: ParsedRecord, stream: StreamShape, emittedAt: number): Change {
  refuseLong(text);
  const data = parsed(text);
  if (hasLargeNumber(data, DATA_DEPTH)) refuseAlteredNumbers(text);
  return upsert(stream, key, data, { id: keyOf(key), emittedAt, origin: bounded(origin) }, text);
}

/** A connector's RECORD message: its stream, and the change in it. */
export interface RecordMessage {
  stream: string;
  parse(stream: StreamShape, origin: string, now: number): Change;
}

/**
 * Returns undefined if the line is not a RECORD, however it begins. Unknown fields are ignored, because a newer
 * connector may send them.
 */
export function parseRecordMessage(line: string): RecordMessage | undefined {
  const input = parseText(line);
  if (!isObject(input as JsonValue)) return undefined;
  const { type, stream, key, data, emitted_at, op } = input as Record<string, JsonValue>;
  if (type !== "RECORD") return undefined;
  if (typeof stream !== "string") throw invalid("stream is missing");
  const members = { stream, key, data, emitted_at, ...(op === undefined ? {} : { op }) };
  return { stream, parse: (shape, origin, now) => ({ ...changeFrom(members, shape, now), origin: bounded(origin) }) };
}

function parseText(line: string): unknown {
  refuseLong(line);
  // Checked first, because every later step, including error messages, may recurse into the value.
  const { depth, hasLongNumber } = scanJson(line);
  if (depth > JSON_DEPTH_MAX) throw tooDeep();
  const text = line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
  const input = parsed(text);
  if (hasLongNumber) refuseAlteredNumbers(text);
  return input;
}

/**
 * Bytes are counted only if the number of characters is not enough to decide, because a UTF-16 unit takes at most three
 * bytes.
 */
function refuseLong(line: string): void {
  if (line.length * 3 > INGEST.lineBytes && Buffer.byteLength(line) > INGEST.lineBytes) {
    throw new PdppError("resource_limit", `the line is longer than ${INGEST.lineBytes} bytes`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`not JSON: ${(error as Error).message}`);
  }
}

/** The depth at which a record's data begins. */
const DATA_DEPTH = 2;
/** At this size and above, a double may represent a different integer from the one that was written. */
const EXACT_MAX = 2 ** 53;

/**
 * Checks the value, because that is faster than checking all characters of the text. Text written by JSON.stringify
 * cannot be nested too deeply.
 */
function hasLargeNumber(value: unknown, depth: number): boolean {
  if (typeof value === "number") return Math.abs(value) >= EXACT_MAX;
  if (value === null || typeof value !== "object") return false;
  if (depth > JSON_DEPTH_MAX) throw tooDeep();
  let found = false;
  if (Array.isArray(value)) for (const item of value) found = hasLargeNumber(item, depth + 1) || found;
  else for (const name in value) found = hasLargeNumber((value as JsonObject)[name], depth + 1) || found;
  return found;
}

const tooDeep = (): PdppError => invalid(`nested more than ${JSON_DEPTH_MAX} levels deep`);

/** TypeScript's types do not include the reviver's third argument yet. */
type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown;
const parseWith = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** A value is either stored as it was sent or refused, because a number must not change. */
function refuseAlteredNumbers(text: string): void {
  parseWith(text, (_name, value, { source }) => {
    if (typeof value !== "number" || source === undefined) return value;
    if (!Number.isFinite(value)) throw invalid(`${source} is too large for a number; send it as text`);
    if (/^-?\d+$/.test(source) && BigInt(source) !== BigInt(value)) {
      throw invalid(`${source} has more digits than a number can hold; send it as text`);
    }
    return value;
  });
}

function changeFrom(input: unknown, stream: StreamShape, now: number): Change {
  if (input === null || typeof input !== "object" || Array.isArray(input))
    throw invalid("a record must be a JSON object");
  for (const name in input) if (!KNOWN.has(name)) throw invalid(`unknown property ${JSON.stringify(name)}`);
  const { stream: named, key, data, emitted_at, op = "upsert", provenance } = input as Partial<RecordInput>;
  if (named !== undefined && named !== stream.name)
    throw invalid(`stream is ${JSON.stringify(named)}, not ${stream.name}`);
  if (op !== "upsert" && op !== "delete") throw invalid("op must be upsert or delete");
  const id = keyOf(key);
  const emittedAt = emissionTime(instantIn(emitted_at), data, now);
  const origin = provenance === undefined ? null : provenanceText(provenance);
  if (op === "delete") return { id, data: null, ord: null, time: null, emittedAt, origin, blobs: [] };
  return upsert(stream, key!, data, { id, emittedAt, origin });
}

function instantIn(text: unknown): number {
  const emittedAt = typeof text === "string" ? parseInstant(text) : undefined;
  if (emittedAt === undefined) throw invalid("emitted_at must be an RFC 3339 time with an offset");
  return emittedAt;
}

function upsert(
  stream: StreamShape,
  key: string | string[],
  data: unknown,
  facts: Pick<Change, "id" | "emittedAt" | "origin">,
  known?: string,
): Change {
  if (!isObject(data)) throw invalid("data must be a JSON object");
  checkKey(key, data, stream);
  const validate = validatorOf(stream);
  if (!validate(data)) {
    throw invalid(misfit(validate.errors?.[0]));
  }
  const text = known ?? JSON.stringify(data);
  return {
    id: facts.id,
    data: text,
    ord: orderValue(stream, data),
    ...limitsOf(stream, data),
    emittedAt: facts.emittedAt,
    origin: facts.origin,
    blobs: text.includes("blob_id") ? blobsIn(data) : [],
  };
}

/** Rewords the schema library's message, because it appears in import reports. */
function misfit(error: ErrorObject | undefined): string {
  const place = `data${error?.instancePath ?? ""}`;
  const { additionalProperty, missingProperty, type, format } = (error?.params ?? {}) as Record<string, unknown>;
  switch (error?.keyword) {
    case "additionalProperties":
      return `${place} has ${JSON.stringify(additionalProperty)}, which the stream does not declare`;
    case "required":
      return `${place} has no ${JSON.stringify(missingProperty)}, which the stream requires`;
    case "type":
      return `${place} is not of type ${[type].flat().join(" or ")}`;
    case "format":
      return `${place} is not a valid ${String(format)}`;
    case "enum":
      return `${place} is not one of the values that the stream declares`;
    default:
      return `${place} does not match the stream's schema`;
  }
}

const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);

function keyOf(key: unknown): string {
  const parts = typeof key === "string" ? [key] : key;
  if (!Array.isArray(parts) || parts.length === 0 || !parts.every((part) => typeof part === "string" && part !== "")) {
    throw invalid("key must be a string or a list of strings");
  }
  const id = canonicalKey(parts as string[]);
  if (!id.isWellFormed()) throw invalid("key is not well-formed text");
  if (id === "." || id === "..") throw invalid(`a key cannot be ${JSON.stringify(id)}, because no URL can contain it`);
  if (Buffer.byteLength(id) > INGEST.keyBytes) throw invalid(`key is longer than ${INGEST.keyBytes} bytes`);
  return id;
}

function checkKey(key: string | string[], data: JsonObject, stream: StreamShape): void {
  const parts = typeof key === "string" ? [key] : key;
  const fields = stream.declaration.primary_key;
  if (parts.length !== fields.length)
    throw invalid(`key has ${parts.length} parts, but primary_key has ${fields.length}`);
  for (let index = 0; index < parts.length; index++) {
    const field = fields[index]!;
    const value = data[field];
    const same = (typeof value === "string" || typeof value === "number") && String(value) === parts[index];
    if (!same) throw invalid(`key and data.${field} differ`);
  }
}

function orderValue(stream: StreamShape, data: JsonObject): string | number | null {
  const field = stream.declaration.cursor_field;
  if (field === undefined) return null;
  const value = columnValue(stream.fields.get(field)!.column!, data[field]);
  return typeof value === "boolean" ? Number(value) : typeof value === "string" ? value.toWellFormed() : value;
}

/** Everything in the data that a grant can be limited by. */
export const limitsOf = (stream: StreamShape, data: JsonObject): RecordLimits => ({
  time: consentTime(stream, data),
  ...filterValues(stream, data),
});

function consentTime(stream: StreamShape, data: JsonObject): number | null {
  const field = stream.declaration.consent_time_field;
  if (field === undefined) return null;
  return columnValue(stream.fields.get(field)!.column!, data[field]) as number | null;
}

function provenanceText(provenance: unknown): string {
  if (provenance === null || typeof provenance !== "object" || Array.isArray(provenance))
    throw invalid("provenance must be an object");
  for (const [name, value] of Object.entries(provenance)) {
    const type = Object.hasOwn(PROVENANCE, name) ? PROVENANCE[name as keyof Provenance] : undefined;
    if (type === undefined) throw invalid(`unknown property ${JSON.stringify(name)} of provenance`);
    if (typeof value !== type) throw invalid(`provenance.${name} is a ${type}`);
  }
  return bounded(JSON.stringify(provenance));
}

function bounded(origin: string): string {
  if (origin.length > 4096) throw invalid("provenance is longer than 4096 characters");
  return origin;
}

function blobsIn(data: JsonObject): Change["blobs"] {
  const found: Change["blobs"] = [];
  const walk = (value: JsonValue, field: string): void => {
    if (value === null || typeof value !== "object") return;
    if (!Array.isArray(value) && typeof value.blob_id === "string") found.push({ blobId: value.blob_id, field });
    for (const inner of Object.values(value)) walk(inner, field);
  };
  for (const [field, value] of Object.entries(data)) walk(value, field);
  return found;
}

function invalid(message: string): PdppError {
  return new PdppError("invalid_record", message);
}
