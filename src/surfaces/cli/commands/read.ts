// pdpp read: prints a window of one field's text, and how to continue.
import { parseHandle } from "../../../contract/handle.ts";
import type { WindowQuery } from "../../../contract/read.ts";
import { windowAsked } from "../../../contract/window-handle.ts";
import { type Command, type CommandContext, text, UsageError, wholeNumber } from "../command.ts";
import { refuseOther } from "../handle-place.ts";
import { printWindow } from "../windows.ts";

export const read: Command = {
  summary: "read a long field in windows",
  usage:
    "pdpp read HANDLE --field F [--pointer P] [--offset N | --cursor C | --around TEXT [--before N] [--after N]] [--limit N] [--revision R]\n" +
    "       A pdpp://field-window/… handle already includes the field. Positions are counted in characters.",
  examples: [
    "pdpp read notes:ID… --field body",
    "pdpp read cin_…/notes:ID… --field body --offset 4096 --limit 8192",
    "pdpp read notes:ID… --connection cin_… --field body --around 'worst seat' --before 100 --after 400",
    "pdpp read messages:ID… --connection cin_… --field to --pointer /0/address",
    "pdpp read 'pdpp://field-window/cin_…/notes/ID…?field=body&offset=4096' --json",
  ],
  options: {
    connection: {
      type: "string",
      value: "ID|NAME",
      about: "the connection, by id or name; needed if several have the stream",
    },
    field: { type: "string", value: "FIELD", about: "the field to read" },
    pointer: { type: "string", value: "POINTER", about: "a JSON Pointer to a string inside the field" },
    offset: { type: "string", value: "N", about: "begin at this character" },
    limit: { type: "string", value: "N", about: "at most this many characters" },
    around: { type: "string", value: "TEXT", about: "begin at the first match of this text" },
    before: { type: "string", value: "N", about: "with --around: this many characters before the match" },
    after: { type: "string", value: "N", about: "with --around: this many characters after the match" },
    cursor: { type: "string", value: "CURSOR", about: "continue after the page that printed this cursor" },
    revision: { type: "string", value: "REVISION", about: "fail if the text has changed since this revision" },
  },
  async run(context) {
    const request = requestFrom(context);
    printWindow(context, await (await context.reader()).window(request));
    return 0;
  },
};

function requestFrom({ positionals, values }: CommandContext): WindowQuery {
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0) throw new UsageError("specify one handle");
  const handle = parseHandle(name);
  if (handle.kind !== "record" && handle.kind !== "field-window")
    throw new UsageError(
      "specify the handle of a record or of a window; `pdpp fetch HANDLE` shows what this handle is",
    );
  refuseOther(handle, text(values, "connection"));
  const named: Partial<WindowQuery> = handle.kind === "field-window" ? windowAsked(handle) : {};
  const field = text(values, "field") ?? named.field;
  if (field === undefined)
    throw new UsageError("specify the field to read with --field; `pdpp fetch HANDLE` lists the fields");
  const cursor = text(values, "cursor");
  // A cursor contains its position, so the position in the handle must be ignored.
  const place = cursor === undefined ? { offset_chars: named.offset_chars, revision: named.revision } : {};
  const isPlaced = cursor !== undefined || values.offset !== undefined || values.around !== undefined;
  const match = isPlaced ? {} : { q: named.q, before_chars: named.before_chars, after_chars: named.after_chars };
  const given = {
    connection_id: text(values, "connection"),
    pointer: text(values, "pointer"),
    offset_chars: wholeNumber(values, "offset"),
    limit_chars: wholeNumber(values, "limit", 1),
    q: text(values, "around"),
    before_chars: wholeNumber(values, "before"),
    after_chars: wholeNumber(values, "after"),
    revision: text(values, "revision"),
  };
  return {
    stream: handle.stream,
    id: handle.id,
    connection_id: handle.connection_id,
    field,
    ...(field === named.field ? { pointer: named.pointer, limit_chars: named.limit_chars, ...place, ...match } : {}),
    cursor,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}
