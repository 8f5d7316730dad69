// Options that lists and exports share: which records of a stream are selected, and in which order.
import type { ExportQuery } from "../../contract/read.ts";
import { type CommandOptions, list, type OptionValues, oneOf, text, UsageError } from "./command.ts";
import { filterFrom } from "./filters.ts";

export const STREAM_QUERY_OPTIONS = {
  connection: {
    type: "string",
    value: "ID|NAME",
    about: "the connection to read; `all` reads every connection that has the stream",
  },
  filter: {
    type: "string",
    multiple: true,
    value: "CONDITION",
    about: "only records that match; repeat it to combine conditions",
  },
  sort: { type: "string", value: "[-]FIELD", about: "sort by this field; a leading - sorts descending" },
  order: { type: "string", value: "asc|desc", about: "sort direction; without --sort, records are sorted by time" },
  fields: { type: "string", multiple: true, value: "FIELD,…", about: "only these fields" },
  view: { type: "string", value: "VIEW", about: "only the fields of this view of the stream" },
} as const satisfies CommandOptions;

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
  if (name === undefined) throw new UsageError("specify a stream; `pdpp schema` lists them");
  if (rest.length > 0) throw new UsageError(`one stream at a time: unexpected argument ${JSON.stringify(rest[0])}`);
  return name;
}
