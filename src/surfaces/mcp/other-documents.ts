// Documents for ids that are not records: a window, a blob, a stream, an export.

import {
  type BlobHandle,
  type ExportHandle,
  formatHandle,
  type StreamHandle,
  type WindowHandle,
} from "../../contract/handle.ts";
import { WINDOW } from "../../contract/limits.ts";
import { windowAsked } from "../../contract/window-handle.ts";
import { counted } from "../../core/counted.ts";
import { quote } from "../../core/shell-quote.ts";
import { plainLine, plainText } from "../../core/unsafe-characters.ts";
import { BUDGET } from "./budgets.ts";
import { type Document, documentBytes, fitsBudget } from "./document.ts";
import { plainData } from "./plain.ts";
import { recordUrl } from "./record-url.ts";
import { HOW, summariesOf, summaryText } from "./schema-stream.ts";
import { callText, type ToolContext } from "./tool.ts";

export async function windowDocument({ client, origin }: ToolContext, handle: WindowHandle): Promise<Document> {
  const { stream, id, field, pointer } = handle;
  const query = windowAsked(handle);
  const asked = Math.min(handle.limit ?? WINDOW.default, WINDOW.max);
  const budget = handle.limit === undefined ? BUDGET.page : BUDGET.asked;
  for (let limit = asked; ; ) {
    const answer = await client.window({ ...query, limit_chars: limit });
    const { window } = answer;
    const at = (from: number, length?: number, q?: string) =>
      formatHandle({
        kind: "field-window",
        connection_id: answer.connection_id,
        stream,
        id,
        field,
        ...(pointer === undefined ? {} : { pointer }),
        offset: from,
        ...(length === undefined ? {} : { limit: length }),
        revision: answer.revision,
        ...(q === undefined ? {} : { q }),
      });
    const before = Math.max(0, window.start_chars - WINDOW.default);
    const document: Document = {
      id: at(window.start_chars, Math.max(1, window.end_chars - window.start_chars)),
      title: plainLine(
        `${field}${pointer ?? ""} of ${stream} ${id}, characters ${window.start_chars} to ${window.end_chars} of ${window.total_chars}`,
        200,
      ),
      text: plainText(window.text),
      url: recordUrl(origin, { connection_id: answer.connection_id, stream, id }),
      metadata: {
        connection_id: answer.connection_id,
        connector_key: answer.connector_key,
        ...(answer.display_name === undefined ? {} : { display_name: plainLine(answer.display_name, 60) }),
        stream,
        record_id: plainText(id),
        record: formatHandle({ kind: "record", connection_id: answer.connection_id, stream, id }),
        field,
        ...(pointer === undefined ? {} : { pointer }),
        ...plainData({ type: answer.field.type, items: answer.field.items, members: answer.field.members }),
        start_chars: window.start_chars,
        end_chars: window.end_chars,
        total_chars: window.total_chars,
        complete: window.complete,
        has_more: window.has_more,
        revision: answer.revision,
        ...(window.match_start_chars === undefined
          ? {}
          : {
              match_start_chars: window.match_start_chars,
              match_end_chars: window.match_end_chars,
              match_count: window.match_count,
            }),
        ...(limit < asked && window.has_more ? { page_ended_by: "bytes" } : {}),
        ...(window.next_offset_chars === undefined ? {} : { next_id: at(window.next_offset_chars, handle.limit) }),
        ...(window.next_match_chars === undefined
          ? {}
          : { next_match_id: at(window.next_match_chars, handle.limit, handle.q) }),
        ...(answer.part_handle === undefined ? {} : { part_id: answer.part_handle }),
        ...(window.start_chars === 0 ? {} : { previous_id: at(before, window.start_chars - before) }),
      },
    };
    if (fitsBudget(document, budget) || limit === 1) return document;
    const shown = window.end_chars - window.start_chars;
    limit = Math.max(1, Math.min(limit - 1, Math.floor((shown * (budget - 2500)) / documentBytes(document))));
  }
}

/** Describes the bytes and gives their address, but never contains them. */
export async function blobDocument({ client, origin }: ToolContext, handle: BlobHandle): Promise<Document> {
  const { connection_id, blob_id } = handle;
  const { mime_type, size_bytes, sha256 } = await client.blob({ blob_id, connection_id });
  const path = `/v1/blobs/${encodeURIComponent(blob_id)}?connection_id=${encodeURIComponent(connection_id)}`;
  const url = origin + path;
  const link = await client.link({ url: path });
  const cli = `curl -H "Authorization: Bearer $PDPP_ACCESS_TOKEN" -o FILE ${quote(url)}`;
  const kind = plainLine(mime_type, 100);
  return {
    id: formatHandle(handle),
    title: plainLine(`Blob ${blob_id}`, 120),
    text: [
      `A file of type ${JSON.stringify(kind)}, ${size_bytes} bytes, sha256 ${sha256}. Its bytes are not shown here.`,
      `Download: GET ${origin}${link.url} until ${link.expires_at}, without a token; Range is supported. The server's owner can open ${url} at any time.`,
      `In a terminal: ${cli}`,
    ].join("\n"),
    url,
    metadata: {
      connection_id,
      blob_id,
      mime_type: kind,
      size_bytes,
      sha256,
      download_url: origin + link.url,
      expires_at: link.expires_at,
      cli,
    },
  };
}

export async function streamDocument({ client, origin }: ToolContext, handle: StreamHandle): Promise<Document> {
  const { connection_id, stream } = handle;
  const rows = plainData(summariesOf(await client.schema({ stream, connection_id })));
  const first = rows[0]!;
  const document = (shown: number): Document => ({
    id: formatHandle(handle),
    title: first.label ?? first.name,
    text: [
      HOW,
      ...rows.slice(0, shown).map(summaryText),
      ...(shown === rows.length
        ? []
        : [`[more fields: ${callText("schema", { stream, connection_id })} pages through all]`]),
    ].join("\n"),
    url: recordUrl(origin, { connection_id, stream }),
    metadata: {
      connection_id,
      connector_key: first.connector_key,
      stream,
      next: "query_records, aggregate and search accept this stream and connection_id",
    },
  });
  let shown = rows.length;
  while (shown > 1 && !fitsBudget(document(shown))) shown--;
  return document(shown);
}

/** Describes a query as a file: how many records, how large, in which formats, and where. Nothing is started. */
export async function exportDocument({ client, origin }: ToolContext, handle: ExportHandle): Promise<Document> {
  const info = plainData(await client.exportInfo({ handle: formatHandle(handle) }));
  const { stream, connection_id, connector_key, display_name, count, formats } = info;
  const id = formatHandle(handle);
  // The reader is connected to a server, and the file should not be printed on a terminal.
  const cli = `${info.cli} --output FILE --server ${quote(origin)}`;
  const job = { method: info.job.method, url: `${origin}${info.job.route}` };
  // Each address works without a token for some minutes, and later with the owner's session.
  const offers = await Promise.all(
    formats.map(async (offer) => ({ ...offer, url: origin + (await client.link({ url: offer.url })).url })),
  );
  return {
    id,
    title: plainLine(`Export of ${stream}`, 120),
    text: [
      `${counted(count.value, "record")} (${count.kind}) of ${stream} in connection_id ${connection_id}, as one file. Nothing was started.`,
      ...offers.map(
        (offer) =>
          `${offer.format}: about ${offer.estimated_bytes} bytes, GET ${offer.url} within 15 minutes, without a token`,
      ),
      `In a terminal: ${cli}`,
      `As a job with a resumable download: ${job.method} ${job.url} with {"handle": this id, "format": "jsonl"}`,
    ].join("\n"),
    url: new URL(formats[0]!.url, origin).href,
    metadata: {
      connection_id,
      connector_key,
      ...(display_name === undefined ? {} : { display_name }),
      stream,
      count,
      formats: offers,
      cli,
      job,
    },
  };
}
