// pdpp fetch: whatever a handle names.
import { type Handle, parseHandle, type WindowHandle } from "../../../contract/handle.ts";
import type { RecordRead } from "../../../contract/record.ts";
import { type Command, type CommandContext, list, text, UsageError } from "../command.ts";
import { printExportInfo } from "../export-info.ts";
import { nextCommand } from "../next-command.ts";
import { plainJson } from "../printable.ts";
import { recordHandle, recordText } from "../records-view.ts";
import { printWindow } from "../windows.ts";
import { expandLimits } from "./query.ts";

export const fetch: Command = {
  summary: "read what a handle names: a record, a window of one field, what an export would hold",
  usage:
    "pdpp fetch HANDLE [--connection ID] [--fields a,b] [--expand REL …] [--expand-limit REL=N …]\n" +
    "       HANDLE: CONNECTION/STREAM:ID, STREAM:ID, pdpp://record/CONNECTION/STREAM/ID, pdpp://field-window/… or pdpp://export/…",
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
    if (handle.kind !== "record") {
      const extra = Object.entries(projection).find(([, value]) => value !== undefined)?.[0];
      if (extra !== undefined)
        throw new UsageError(`${KINDS[handle.kind]}; --${extra.replace("_", "-")} belongs to records`);
    }
    if (handle.kind === "export") {
      const query = { handle: name, connection_id: text(values, "connection") };
      printExportInfo(context, await (await context.reader()).exportInfo(query));
      return 0;
    }
    if (handle.kind === "field-window") {
      printWindow(context, await (await context.reader()).window(windowOf(handle)));
      return 0;
    }
    if (handle.kind === "stream")
      throw new UsageError(
        `this is a stream: ${nextCommand(context, ["schema", handle.stream], { connection: handle.connection_id })}`,
      );
    if (handle.kind === "blob")
      throw new UsageError(`this is a file: GET /v1/blobs/${handle.blob_id}?connection_id=${handle.connection_id}`);
    const connection_id = text(values, "connection") ?? handle.connection_id;
    const place = { stream: handle.stream, id: handle.id, connection_id };
    const record = await (await context.reader()).record({ ...place, ...projection });
    if (context.json) context.out(plainJson(JSON.stringify(record)));
    else show(context, record);
    return 0;
  },
};

const KINDS: Record<Exclude<Handle["kind"], "record">, string> = {
  "field-window": "a window is of one field",
  export: "an export has its fields already",
  blob: "a blob has no fields",
  stream: "a stream is no record",
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
