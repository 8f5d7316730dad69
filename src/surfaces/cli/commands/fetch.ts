// pdpp fetch: whatever a handle names.
import { parseHandle, type WindowHandle } from "../../../contract/handle.ts";
import type { RecordRead } from "../../../contract/record.ts";
import { type Command, type CommandContext, list, text, UsageError } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { plainJson } from "../printable.ts";
import { recordHandle, recordText } from "../records-view.ts";
import { printWindow } from "../windows.ts";
import { expandLimits } from "./query.ts";

export const fetch: Command = {
  summary: "read what a handle names: a record, or a window of one field",
  usage:
    "pdpp fetch HANDLE [--connection ID] [--fields a,b] [--expand REL …] [--expand-limit REL=N …]\n" +
    "       HANDLE: CONNECTION/STREAM:ID, STREAM:ID, pdpp://record/CONNECTION/STREAM/ID or pdpp://field-window/…",
  examples: [
    "pdpp fetch tasks:k-cancel-gym",
    "pdpp fetch messages:m-landlord-notice --connection cin_… --fields subject,body",
    "pdpp fetch pdpp://record/cin_…/orders/ORD-48817 --expand receipts --json",
    "pdpp fetch 'pdpp://field-window/cin_…/notes/n-harbour-survey?field=body&offset=4096'",
  ],
  options: {
    connection: { type: "string" },
    fields: { type: "string", multiple: true },
    expand: { type: "string", multiple: true },
    "expand-limit": { type: "string", multiple: true },
  },
  async run(context) {
    const { positionals, values } = context;
    const [name, ...rest] = positionals;
    if (name === undefined || rest.length > 0) throw new UsageError("name one handle");
    const handle = parseHandle(name);
    const projection = {
      fields: list(values, "fields"),
      expand: list(values, "expand"),
      expand_limit: expandLimits(values),
    };
    if (handle.kind === "field-window") {
      const extra = Object.entries(projection).find(([, value]) => value !== undefined)?.[0];
      if (extra !== undefined)
        throw new UsageError(`a window is of one field; --${extra.replace("_", "-")} belongs to records`);
      printWindow(context, await (await context.reader()).window(windowOf(handle)));
      return 0;
    }
    const connection_id = text(values, "connection") ?? handle.connection_id;
    const place = { stream: handle.stream, id: handle.id, connection_id };
    const record = await (await context.reader()).record({ ...place, ...projection });
    if (context.json) context.out(plainJson(JSON.stringify(record)));
    else show(context, record);
    return 0;
  },
};

export function windowOf(handle: WindowHandle) {
  return {
    stream: handle.stream,
    id: handle.id,
    connection_id: handle.connection_id,
    field: handle.field,
    pointer: handle.pointer,
    offset_chars: handle.offset,
    limit_chars: handle.limit,
    revision: handle.revision,
  };
}

function show(context: CommandContext, record: RecordRead): void {
  const { text: shown, cut } = recordText(record);
  context.out(shown);
  for (const field of cut)
    context.note(`The whole of ${field}: ${nextCommand(context, ["read", recordHandle(record)], { field })}`);
}
