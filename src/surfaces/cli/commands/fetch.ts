// pdpp fetch: prints the item that a handle refers to.
import { type BlobHandle, type Handle, parseHandle } from "../../../contract/handle.ts";
import type { RecordRead } from "../../../contract/record.ts";
import { windowAsked } from "../../../contract/window-handle.ts";
import { type Command, type CommandContext, list, type OptionValues, text, UsageError } from "../command.ts";
import { printExportInfo } from "../export-info.ts";
import { refuseOther } from "../handle-place.ts";
import { nextCommand } from "../next-command.ts";
import { plainJson, printable } from "../printable.ts";
import { recordHandle, recordText } from "../records-view.ts";
import { bytes } from "../table.ts";
import { printWindow } from "../windows.ts";
import { expandLimits } from "./query.ts";
import { printStream } from "./schema.ts";

export const fetch: Command = {
  summary:
    "read the item behind a handle: a record, a window of one field, a stream, a blob's metadata or an export's preview",
  usage:
    "pdpp fetch HANDLE [--connection ID] [--fields a,b] [--expand REL …] [--expand-limit REL=N …]\n" +
    "       HANDLE: CONNECTION/STREAM:ID, STREAM:ID, pdpp://record/CONNECTION/STREAM/ID, pdpp://field-window/…,\n" +
    "       pdpp://stream/…, pdpp://blob/… or pdpp://export/…",
  examples: [
    "pdpp fetch orders:ORD-48817",
    "pdpp fetch messages:ID… --connection cin_… --fields subject,body",
    "pdpp fetch pdpp://record/cin_…/notes/ID… --expand notebook --json",
    "pdpp fetch 'pdpp://field-window/cin_…/notes/ID…?field=body&offset=4096'",
  ],
  options: {
    connection: {
      type: "string",
      value: "ID|NAME",
      about: "the connection, by id or name; needed if several have the stream",
    },
    fields: { type: "string", multiple: true, value: "FIELD,…", about: "only these fields" },
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
    const { positionals, values } = context;
    const [name, ...rest] = positionals;
    if (name === undefined || rest.length > 0) throw new UsageError("specify one handle");
    const handle = parseHandle(name);
    refuseOther(handle, text(values, "connection"));
    const projection = {
      fields: list(values, "fields"),
      expand: list(values, "expand"),
      expand_limit: expandLimits(values),
    };
    if (handle.kind !== "record") {
      const extra = Object.entries(projection).find(([, value]) => value !== undefined)?.[0];
      if (extra !== undefined)
        throw new UsageError(`${KINDS[handle.kind]}; --${extra.replace("_", "-")} is only for records`);
    }
    if (handle.kind === "export") {
      const query = { handle: name, connection_id: text(values, "connection") };
      printExportInfo(context, await (await context.reader()).exportInfo(query));
      return 0;
    }
    if (handle.kind === "field-window") {
      printWindow(context, await (await context.reader()).window(windowAsked(handle)));
      return 0;
    }
    if (handle.kind === "stream") {
      printStream(context, await (await context.reader()).schema(handleParts(handle)));
      return 0;
    }
    if (handle.kind === "blob") {
      await printBlob(context, handle);
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

const KINDS: Record<Exclude<Handle["kind"], "record">, string> = {
  "field-window": "a window covers one field",
  export: "the fields of an export cannot be changed",
  blob: "a blob has no fields",
  stream: "a stream is not a record",
};

function show(context: CommandContext, record: RecordRead): void {
  const { text: shown, cut } = recordText(record);
  context.out(shown);
  for (const { name: field, items } of cut) {
    const read = (options: OptionValues) => nextCommand(context, ["read", recordHandle(record)], { field, ...options });
    context.note(`All of ${printable(field)}${items === undefined ? "" : `, ${items} items`}: ${read({})}`);
    if (items !== undefined) context.note(`One item of ${printable(field)}: ${read({ pointer: `/${items - 1}` })}`);
  }
}

const handleParts = <T extends { kind: string }>({ kind: _kind, ...parts }: T): Omit<T, "kind"> => parts;

/** Prints only the description and address of the bytes, never the bytes themselves. */
async function printBlob(context: CommandContext, handle: BlobHandle): Promise<void> {
  const reader = await context.reader();
  const blob = await reader.blob(handleParts(handle));
  if (context.json) {
    context.out(plainJson(JSON.stringify(blob)));
    return;
  }
  context.out(`${printable(blob.mime_type, 100)}, ${bytes(blob.size_bytes)}, SHA-256 ${blob.sha256}`);
  const { blob_id, connection_id } = handle;
  const url = `/v1/blobs/${encodeURIComponent(blob_id)}?${new URLSearchParams({ connection_id })}`;
  context.note(`To download it, with the grant's token or the owner's browser session: GET ${url}`);
  const server = text(context.values, "server");
  if (server === undefined) return;
  const link = await reader.link({ url }).catch(() => undefined);
  // The owner gets no signed links, and does not need them.
  if (link !== undefined)
    context.note(`Download it without a token until ${link.expires_at}: ${new URL(link.url, server).href}`);
}
