// pdpp query: lists records, or the changes since a point in time.
import type { RecordList } from "../../../contract/answers.ts";
import type { RecordsQuery } from "../../../contract/read.ts";
import type { ReadClient } from "../../../contract/read-client.ts";
import { defaultColumns } from "../../../core/default-columns.ts";
import { ALL_STREAMS } from "../../../core/scope.ts";
import { type Command, type CommandContext, list, oneOf, text, UsageError, wholeNumber } from "../command.ts";
import { namedConnection } from "../named-connection.ts";
import { nextCommand, sameCommand } from "../next-command.ts";
import { plainJson, printable } from "../printable.ts";
import { changesTable, recordHandle, recordsTable } from "../records-view.ts";
import { oneStream, STREAM_QUERY_OPTIONS, streamQueryFrom } from "../stream-query.ts";
import { count } from "../table.ts";

export const query: Command = {
  summary: "list records: filter, sort, page, or show changes since a point in time",
  usage:
    "pdpp query STREAM [--connection ID|NAME|all] [--filter FIELD=VALUE …] [--sort [-]FIELD] [--order asc|desc] [--fields a,b | --view V]\n" +
    "       [--limit N] [--cursor C] [--count] [--texts preview|full] [--changes-since DATE|now|beginning|TOKEN] [--expand REL …] [--expand-limit REL=N …]\n" +
    "       STREAM all, with --changes-since: what changed in every stream, newest first.\n" +
    "       Filters: FIELD=V, FIELD!=V (also matches records without a value), FIELD>=V, >, <=, <, 'FIELD in A,B', 'FIELD contains V' (lists), 'FIELD exists', 'FIELD not exists'.",
  examples: [
    "pdpp query messages --connection cin_… --limit 10",
    "pdpp query transactions --connection cin_… --filter 'amount>=10' --filter 'booked_on<2025-01-01' --sort -amount --count",
    "pdpp query events --filter 'starts_at>=2025-05-15' --order asc --fields title,starts_at --json",
    "pdpp query tasks --filter 'status in needs-action,in-process' --filter 'completed_at not exists'",
    "pdpp query transactions --connection all --sort -amount --limit 10",
    "pdpp query tasks --changes-since beginning",
    "pdpp query all --changes-since 2026-11-16",
    "pdpp query events --expand occurrences --expand-limit occurrences=5",
  ],
  options: {
    ...STREAM_QUERY_OPTIONS,
    limit: { type: "string", value: "N", about: "records per page (default: 25)" },
    cursor: { type: "string", value: "CURSOR", about: "continue after the page that printed this cursor" },
    count: { type: "boolean", about: "also count all records that match" },
    texts: { type: "string", value: "preview|full", about: "show long text fields as previews or in full" },
    "changes-since": {
      type: "string",
      value: "TIME",
      about: "show changes since a date, `now`, `beginning` or the token from the last call",
    },
    expand: {
      type: "string",
      multiple: true,
      value: "RELATION",
      about: "include related records; can be repeated",
    },
    "expand-limit": {
      type: "string",
      multiple: true,
      value: "RELATION=N",
      about: "at most this many related records per relation",
    },
  },
  async run(context) {
    const request = await requestFrom(context);
    const reader = await context.reader();
    const page = await reader.records(request);
    if (context.json) context.out(plainJson(JSON.stringify(page)));
    else show(context, request, page, await usualColumns(reader, request, page));
    return 0;
  },
};

async function requestFrom(context: CommandContext): Promise<RecordsQuery> {
  const { positionals, values } = context;
  const asked = {
    stream: positionals.length === 0 && values["changes-since"] !== undefined ? ALL_STREAMS : oneStream(positionals),
    ...streamQueryFrom(values),
    limit: wholeNumber(values, "limit", 1),
    cursor: text(values, "cursor"),
    changes_since: text(values, "changes-since"),
    count: values.count === true ? "exact" : undefined,
    texts: oneOf(values, "texts", ["preview", "full"]),
    expand: list(values, "expand"),
    expand_limit: expandLimits(values),
  } as const;
  return { ...asked, connection_id: await namedConnection(context) };
}

export function expandLimits(values: CommandContext["values"]): Record<string, number> | undefined {
  const given = list(values, "expand-limit");
  if (given === undefined) return undefined;
  const limits: Record<string, number> = Object.create(null);
  for (const item of given) {
    const parts = /^(.+)=(\d{1,9})$/s.exec(item);
    if (!parts) throw new UsageError(`--expand-limit must be RELATION=N, not ${JSON.stringify(item)}`);
    limits[parts[1]!] = Number(parts[2]);
  }
  return limits;
}

/** Returns the usual columns for the kind, taken from one connection of each source on the page. */
async function usualColumns(reader: ReadClient, request: RecordsQuery, { data }: RecordList): Promise<string[]> {
  if (request.stream === ALL_STREAMS || request.fields !== undefined || request.view !== undefined) return [];
  const sources = new Map(data.map(({ connector_key, connection_id }) => [connector_key, connection_id]));
  const columns: string[] = [];
  for (const connection_id of sources.values())
    columns.push(...defaultColumns(await reader.stream({ stream: request.stream, connection_id }), "time"));
  return [...new Set(columns)];
}

function show(context: CommandContext, request: RecordsQuery, page: RecordList, usual: string[]): void {
  const { out, note } = context;
  for (const warning of page.meta.warnings ?? []) note(`Note: ${printable(warning.message, 300)}`);
  if (page.data.length === 0) out(empty(request));
  else if (request.stream === ALL_STREAMS) out(changesTable(page.data));
  else {
    const { text: shown, left } = recordsTable(page.data, process.stdout.columns ?? 120, {
      ...(request.fields === undefined ? {} : { asked: request.fields }),
      usual,
    });
    out(shown);
    if (left.length > 0) note(`Not shown: ${printable(left.join(", "), 300)}; --fields selects the fields to show.`);
  }
  if (page.meta.count !== undefined)
    note(`${count(page.meta.count.value, "record")} match${page.meta.count.value === 1 ? "es" : ""} in total.`);
  const first = page.data.find((record) => "data" in record);
  if (first !== undefined) {
    const options = request.expand === undefined ? {} : { expand: request.expand };
    note(`To read one in full: ${nextCommand(context, ["fetch", recordHandle(first)], options)}`);
  }
  if (page.next_cursor !== undefined) note(`More: ${sameCommand(context, "query", { cursor: page.next_cursor })}`);
  if (page.next_changes_since !== undefined) {
    note(
      `Later changes: ${sameCommand(context, "query", { cursor: undefined, "changes-since": page.next_changes_since })}`,
    );
  }
}

function empty({ filter, changes_since, stream, cursor }: RecordsQuery): string {
  if (changes_since !== undefined) return "Nothing changed.";
  if (cursor !== undefined) return "No more records.";
  if (filter !== undefined)
    return `No record in ${printable(stream)} matches. Without --filter, all records are listed.`;
  return `No records in ${printable(stream)} yet. \`pdpp ingest --help\` shows how to add some.`;
}
