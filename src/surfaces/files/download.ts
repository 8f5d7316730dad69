// Sends the bytes of an indexed file, whole or in ranges, always as an attachment. The file is opened below its root,
// and never through a link.
import { hash } from "node:crypto";
import { PdppError } from "../../contract/errors.ts";
import type { OpenedFile } from "../../files/calls/content-calls.ts";
import type { FileCall } from "../../files/shell/file-call.ts";
import { fileAnswer } from "../http/file-answer.ts";
import type { Exchange } from "../http/respond.ts";
import type { WantedNode } from "./route.ts";

export async function downloadAnswer(
  exchange: Exchange,
  call: FileCall,
  wanted: () => Promise<WantedNode>,
  leave: () => void,
): Promise<Response> {
  let opened: OpenedFile | undefined;
  let isRead = false;
  try {
    let connectionId = "";
    await call.run("download", async () => {
      const { indexId, nodeId, root } = await wanted();
      opened = await call.lens.files.openFile(indexId, nodeId);
      connectionId = root.connectionId;
      return { answer: {}, connectionId, records: 1, bytes: 0 };
    });
    const { handle, name, mimeType } = opened!;
    const { dev, ino, size, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
    const etag = `"${hash("sha256", [dev, ino, size, mtimeNs, ctimeNs].join(), "base64url").slice(0, 27)}"`;
    requireVersion(exchange.request, etag);
    return await fileAnswer(exchange, {
      sizeBytes: Number(size),
      etag,
      headers: { "Content-Type": mimeType, "Content-Disposition": attachment(name) },
      async open(start, end) {
        isRead = true;
        return handle.createReadStream({ start, end });
      },
      recheck: () => call.require({ connectionId }, "download", { afresh: true }),
      served(bytes) {
        leave();
        const { credential, requestId } = call.caller;
        call.lens.host
          .call("fileServed", { action: "served", connection_id: connectionId, bytes }, credential, requestId)
          // After a revocation this call is refused, and the log records the refusal with the number of bytes sent.
          .catch(() => undefined);
      },
    });
  } finally {
    if (!isRead) {
      leave();
      await opened?.handle.close();
    }
  }
}

/** With If-Match, a client gets the rest of the same version, or nothing. */
function requireVersion(request: Request, etag: string): void {
  const wanted = request.headers.get("if-match");
  if (wanted === null || wanted === "*" || wanted.split(",").some((one) => one.trim() === etag)) return;
  throw new PdppError("stale_handle", "the file changed since that version was read", {
    param: "If-Match",
    next_step: "Download it from the beginning, without If-Match; its ETag identifies the current version.",
  });
}

/**
 * The plain name is safe in a header, in a shell and on every disk. Programs that support RFC 6266 get the printed
 * name.
 */
function attachment(name: string): string {
  const plain = name
    .replace(/[^A-Za-z0-9_.-]/g, "_")
    .replace(/^[.-]+/, "_")
    .slice(-150);
  const full = encodeURIComponent(name.replace(/[\\/]/g, "_").toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}
