// Which records of a stream are meant, and in which order: what is said the same way of a list and of a file.
import type { ParseArgsOptionsConfig } from "node:util";
import type { ExportQuery } from "../../contract/read.ts";
import { list, type OptionValues, oneOf, text, UsageError } from "./command.ts";
import { filterFrom } from "./filters.ts";

export const STREAM_QUERY_OPTIONS = {
  connection: { type: "string" },
  filter: { type: "string", multiple: true },
  sort: { type: "string" },
  order: { type: "string" },
  fields: { type: "string", multiple: true },
  view: { type: "string" },
} as const satisfies ParseArgsOptionsConfig;

export function streamQueryFrom(values: OptionValues): Omit<ExportQuery, "stream" | "handle" | "connection_id"> {
  return {
    filter: filterFrom(values),
    sort: text(values, "sort"),
    order: oneOf(values, "order", ["asc", "desc"]),
    fields: list(values, "fields"),
    view: text(values, "view"),
  };
}

export function oneStream([name, ...rest]: readonly string[]): string {
  if (name === undefined) throw new UsageError("name a stream; `pdpp schema` lists them");
  if (rest.length > 0) throw new UsageError(`one stream at a time: what is ${JSON.stringify(rest[0])}?`);
  return name;
}
