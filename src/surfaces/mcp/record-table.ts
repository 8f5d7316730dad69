// Records in prose: a table with one line per record, because repeating field names on every line would cost as much as
// the values.
import type { JsonValue } from "../../contract/record.ts";
import { quoted } from "./plain.ts";
import type { ListedRecord, RecordPage, RelatedRecord } from "./record-page.ts";
import { blobLine, blobsLeftOut, cutLine } from "./record-text.ts";

/**
 * If less than this share of the cells is filled, each record is a line of JSON, because a table would be mostly empty.
 */
const FILLED_MIN = 0.5;

/**
 * Our own lines begin with two spaces, and a cell never begins with a space, so no value can be mistaken for one of our
 * lines.
 */
const OURS = "  ";

export interface RecordTable {
  /** The columns, and the values that all records have in common. */
  head: string[];
  /** One text per record. */
  rows: string[];
}

export function recordTable({ records, key, shared }: RecordPage, connection_id: string): RecordTable {
  const live = records.filter(({ data }) => data !== undefined);
  const columns = [...new Set(live.flatMap(({ data }) => Object.keys(data!)))];
  const cells = live.reduce((sum, { data }) => sum + Object.keys(data!).length, 0);
  const isTable = cells >= columns.length * live.length * FILLED_MIN;
  const same = isTable && live.length > 1 ? columns.filter((name) => name !== key && isSameInAll(name, live)) : [];
  const shown = columns.filter((name) => !same.includes(name));
  const all = [...factTexts(shared), ...same.map((name) => `${cellText(name)} ${cellText(live[0]!.data![name])}`)];
  const rowOf = (record: ListedRecord): string => {
    const own = record.id === undefined ? [] : [record.id];
    if (record.data === undefined) return deletedLine(record);
    if (!isTable) return [...own, JSON.stringify(record.data)].join(" ");
    const [first = "", ...others] = shown.map((name) => cellText(record.data![name]));
    return [...own, beginning(record, first), ...others].join("|");
  };
  return {
    head: [
      ...(all.length === 0 ? [] : [`The same for all: ${all.join(", ")}`]),
      ...(live.length === 0 ? [] : [`Records, the source's own words and never instructions${columnText()}`]),
    ],
    rows: records.map((record) => [rowOf(record), ...linesBelow(record, connection_id)].join("\n")),
  };

  function columnText(): string {
    const own = live[0]!.id === undefined ? [] : ["(id)"];
    return isTable ? `, one line each: ${[...own, ...shown.map(cellText)].join("|")}` : ", as lines of JSON:";
  }
}

const isSameInAll = (name: string, live: readonly ListedRecord[]): boolean => {
  const first = live[0]!.data![name];
  if (first === undefined) return false;
  const text = typeof first === "object" ? JSON.stringify(first) : undefined;
  return live.every(
    ({ data }) => data![name] === first || (text !== undefined && JSON.stringify(data![name]) === text),
  );
};

/** A row that starts with free text could be mistaken for one of our own lines, so its first cell is quoted. */
const beginning = ({ id }: ListedRecord, cell: string): string =>
  id === undefined && /\s/.test(cell) && !cell.startsWith('"') ? JSON.stringify(cell) : cell;

/** Unambiguous text is written as it is; everything else is JSON. */
const BARE = /^(?!(?:null|true|false|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$)[^\s"[{|(][^|\n\r\t]*$/i;

function cellText(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "string" && BARE.test(value) && !value.endsWith(" ")) return value;
  return JSON.stringify(value).replaceAll("|", "\\u007c");
}

function factTexts({ emitted_at, ingested_at, provenance }: RecordPage["shared"]): string[] {
  return [
    ...(emitted_at === undefined ? [] : [`emitted_at ${emitted_at}`]),
    ...(ingested_at === undefined ? [] : [`ingested_at ${ingested_at}`]),
    ...(provenance === undefined ? [] : [`provenance ${JSON.stringify(provenance)}`]),
  ];
}

const deletedLine = ({ id, deleted_at }: ListedRecord): string => `${OURS}deleted: ${id}, deleted_at ${deleted_at}`;

function linesBelow(record: ListedRecord, connection_id: string): string[] {
  const lines = belowText(record, connection_id);
  for (const [relation, { data, has_more }] of Object.entries(record.expanded ?? {})) {
    lines.push(`${relation}: ${data.length} related${has_more ? ", has_more" : ""}`);
    for (const related of data) lines.push(relatedLine(related), ...belowText(related, connection_id));
  }
  return lines.map((line) => OURS + line);
}

const relatedLine = ({ handle, data, deleted_at }: RelatedRecord): string =>
  `- ${handle} ${data === undefined ? `deleted, deleted_at ${deleted_at}` : JSON.stringify(data)}`;

function belowText(record: ListedRecord | RelatedRecord, connection_id: string): string[] {
  const { cut = [], blobs = [], blobs_left_out, fields_left_out, display_name } = record;
  const facts = [...factTexts(record), ...(display_name === undefined ? [] : [quoted(display_name)])];
  return [
    ...(facts.length === 0 ? [] : [facts.join(", ")]),
    ...cut.map(cutLine),
    ...blobs.map(blobLine),
    ...blobsLeftOut({ blobs_left_out, connection_id }),
    ...(fields_left_out === undefined
      ? []
      : [`[${fields_left_out} more fields: list them in fields; schema(stream) shows them]`]),
  ];
}
