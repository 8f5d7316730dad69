// Streams a list as a file. The call is logged before the first byte and after the last, and no more rows are sent once
// the grant has ended.
import type { FileCall, Needs } from "../../files/shell/file-call.ts";
import type { RowFormat } from "../http/file-answer.ts";
import { baseHeaders, type Exchange } from "../http/respond.ts";
import { headText, pageText, type ReportRows, rowHeaders } from "./rows.ts";

export interface OpenRows {
  rows: ReportRows;
  format: RowFormat;
  /** Read before the headers are sent, because until then an error can still be a proper response. */
  first: Awaited<ReturnType<ReportRows["pages"]["next"]>>;
}

export async function openRows(rows: ReportRows, format: RowFormat): Promise<OpenRows> {
  return { rows, format, first: await rows.pages.next() };
}

export const rowsHead = ({ requestId }: Exchange, rows: ReportRows, format: RowFormat): Response =>
  new Response(null, { headers: { ...baseHeaders(requestId), ...rowHeaders(rows, format) } });

/**
 * A failure after the first byte closes the connection, so that a truncated list is not mistaken for a complete one.
 */
export function rowsAnswer(
  exchange: Exchange,
  call: FileCall,
  needs: Needs,
  { rows, format, first }: OpenRows,
  leave: () => void,
): Response {
  const { root, pages } = rows;
  const { credential, requestId } = call.caller;
  const encoder = new TextEncoder();
  const sent = { records: 0, bytes: 0 };
  let ended = false;
  const end = async (): Promise<void> => {
    if (ended) return;
    ended = true;
    leave();
    await pages.return(undefined);
    await call.lens.host
      .call("fileServed", { action: "served", connection_id: root.connectionId, ...sent }, credential, requestId)
      // After a revocation this call is refused, and the log records the refusal with the number of records and bytes
      // sent.
      .catch(() => undefined);
  };
  const next = async (): Promise<OpenRows["first"]> => {
    // Checked again for each page, so that nothing more is sent after a revocation.
    await call.enter(needs);
    await call.require(root, "navigate");
    return pages.next();
  };
  let text = headText(rows, format);
  let ready: OpenRows["first"] | undefined = first;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const { done, value } = ready ?? (await next());
            ready = undefined;
            if (!done) text += pageText(value, format);
            sent.records += done ? 0 : value.length;
            const bytes = encoder.encode(text);
            text = "";
            sent.bytes += bytes.byteLength;
            if (bytes.byteLength > 0) controller.enqueue(bytes);
            if (done) {
              await end();
              controller.close();
            } else if (bytes.byteLength === 0) continue;
            return;
          }
        } catch (error) {
          exchange.abort?.();
          await end();
          controller.error(error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { ...baseHeaders(requestId), ...rowHeaders(rows, format) } });
}
