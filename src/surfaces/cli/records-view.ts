// Shows records to people: pages as tables that fit the terminal, and one record as a list of fields.
import type { RecordList } from "../../contract/answers.ts";
import { formatHandle } from "../../contract/handle.ts";
import type { JsonValue, RecordRead, Tombstone } from "../../contract/record.ts";
import { wordsOf } from "../../core/title.ts";
import { printable, printableText } from "./printable.ts";
import { count, displayWidth, table } from "./table.ts";

const CELL = 40;
/** Longer fields are read with `pdpp read`. */
const FIELD_SHOWN = 2000;

function cell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  return (typeof value === "object" ? wordsOf(value) : undefined) ?? JSON.stringify(value);
}

export function recordHandle(record: RecordRead | Tombstone): string {
  return formatHandle({ kind: "record", connection_id: record.connection_id, stream: record.stream, id: record.id });
}

/** The columns in `asked` are always shown, even if they are wide. `usual` contains the kind's columns in order. */
export function recordsTable(
  records: RecordList["data"],
  width: number,
  { asked, usual = [] }: { asked?: readonly string[]; usual?: readonly string[] } = {},
): { text: string; left: string[] } {
  const there = new Set(records.flatMap((record) => ("data" in record ? Object.keys(record.data) : [])));
  const names = asked ?? [...new Set([...usual.filter((name) => there.has(name)), ...there])];
  const withDeleted = records.some((record) => "deleted" in record);
  const column = (name: string) => records.map((record) => ("data" in record ? cell(record.data[name]) : ""));
  // Every row starts with the id, so a field that only repeats it is omitted even if it was requested.
  const columns = names.filter((name) => !column(name).every((value, row) => value === records[row]!.id));
  const shown: string[] = [];
  let used = Math.max(2, ...records.map((record) => displayWidth(record.id))) + (withDeleted ? 26 : 0);
  for (const name of columns) {
    const needed =
      Math.max(displayWidth(name), ...column(name).map((value) => displayWidth(printable(value, CELL)))) + 2;
    const isWanted = asked !== undefined || usual.length === 0 || usual.includes(name);
    if (!isWanted || (asked === undefined && shown.length > 0 && used + needed > width)) continue;
    used += needed;
    shown.push(name);
  }
  const relations = [...new Set(records.flatMap((record) => Object.keys(("data" in record && record.expanded) || {})))];
  const several = new Set(records.map(({ connection_id }) => connection_id)).size > 1;
  const rows = records.map((record) => [
    record.id,
    ...(several ? [record.display_name ?? record.connection_id] : []),
    ...(withDeleted ? ["deleted" in record ? record.deleted_at : ""] : []),
    ...shown.map((name) => ("data" in record ? cell(record.data[name]) : "")),
    ...relations.map((name) => ("data" in record ? relatedCell(record.expanded?.[name]) : "")),
  ]);
  const text = table(
    ["id", ...(several ? ["source"] : []), ...(withDeleted ? ["deleted at"] : []), ...shown, ...relations],
    rows,
    {
      cellMax: CELL,
    },
  );
  return { text, left: columns.filter((name) => !shown.includes(name)) };
}

/** Summarises the records that --expand requested: their number and ids. */
function relatedCell(related: NonNullable<RecordRead["expanded"]>[string] | undefined): string {
  if (related === undefined || related.data.length === 0) return "none";
  const ids = related.data.map(({ id }) => id).join(", ");
  return `${related.data.length}${related.has_more ? "+" : ""}: ${ids}`;
}

/** Lists changes in several streams. Their fields differ, so each row shows the beginning of its data. */
export function changesTable(records: RecordList["data"]): string {
  const rows = records.map((record) => [
    "deleted" in record ? record.deleted_at : record.ingested_at,
    record.display_name ?? record.connection_id,
    record.stream,
    record.id,
    "deleted" in record ? "(deleted)" : JSON.stringify(record.data),
  ]);
  return table(["changed", "source", "stream", "id", "record"], rows, { cellMax: CELL });
}

export interface RecordText {
  text: string;
  /** Fields that were truncated. For a list, `items` is its length. */
  cut: { name: string; items?: number }[];
}

export function recordText(record: RecordRead): RecordText {
  const cut: RecordText["cut"] = [];
  const lines = [
    printable(recordHandle(record), 9000),
    `${printable(record.display_name ?? record.connector_key)} · emitted ${record.emitted_at} · stored ${record.ingested_at}`,
    "",
  ];
  for (const [name, value] of Object.entries(record.data)) {
    const whole = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    const points =
      whole.length > FIELD_SHOWN ? [...whole.slice(0, FIELD_SHOWN * 2)].slice(0, FIELD_SHOWN).join("") : whole;
    if (points.length < whole.length) cut.push({ name, ...(Array.isArray(value) ? { items: value.length } : {}) });
    const text = printableText(points.length < whole.length ? `${points}…` : points);
    lines.push(text.includes("\n") ? `${printable(name)}:\n${indented(text)}` : `${printable(name)}: ${text}`);
  }
  for (const [name, relation] of Object.entries(record.expanded ?? {})) {
    lines.push(
      "",
      `${printable(name)}: ${count(relation.data.length, "record")}${relation.has_more ? ", and more" : ""}`,
    );
    for (const related of relation.data)
      lines.push(`  ${printable(recordHandle(related), 9000)}  ${printable(JSON.stringify(related.data), 80)}`);
  }
  return { text: lines.join("\n"), cut };
}

const indented = (text: string): string => text.replace(/^/gm, "  ");
