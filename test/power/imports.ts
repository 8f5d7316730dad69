// Imports for the power cuts: bookmark files, uploaded to the server and imported by it. A reported success must be
// permanent.
import { setTimeout as sleep } from "node:timers/promises";
import type { RecordList } from "../../src/contract/answers.ts";
import type { ImportJob } from "../../src/contract/import.ts";
import type { Operation, Session } from "../crash/operations.ts";
import { read } from "../crash/read.ts";
import type { Sent } from "../crash/server-process.ts";

const BOOKMARKS = 40;
const POLL_MS = 20;

export interface ImportModel {
  begun: number;
  /** The number of bookmarks in imports that succeeded. */
  acknowledged: number;
}

export function importing(model: ImportModel): Operation {
  return async ({ ask }) => {
    const from = BOOKMARKS * model.begun++;
    const file = Buffer.from(bookmarks(from));
    const call = async (path: string, init: Sent): Promise<string> => {
      const { status, body } = await ask(path, { method: "POST", type: "application/json", ...init });
      if (status >= 300) throw new Error(`${init.method ?? "POST"} ${path} returned ${status}: ${body}`);
      return body;
    };
    const made = await call("/v1/imports", { body: JSON.stringify({ name: `${from}.html`, size: file.length }) });
    const { import_id, upload_url } = JSON.parse(made) as { import_id: string; upload_url: string };
    await call(upload_url, { method: "PATCH", body: file, headers: { "Upload-Offset": "0" } });
    await call(`/v1/imports/${import_id}/run`, { body: "{}" });
    for (;;) {
      const { status } = await read<ImportJob>(ask, `/v1/imports/${import_id}`);
      if (status === "failed" || status === "cancelled") throw new Error(`the import ${import_id} ${status}`);
      if (status === "succeeded") break;
      await sleep(POLL_MS);
    }
    model.acknowledged += BOOKMARKS;
  };
}

/** Imports without a response may also have succeeded, or may still be running. */
export async function checkImports({ acknowledged, begun }: ImportModel, { ask }: Session): Promise<void> {
  if (acknowledged === 0) return;
  const { meta } = await read<RecordList>(ask, "/v1/streams/bookmarks/records?limit=1&count=exact");
  const found = meta.count?.value ?? 0;
  if (found < acknowledged || found > begun * BOOKMARKS)
    throw new Error(`${acknowledged} bookmarks were imported, ${begun * BOOKMARKS} were sent, ${found} are there`);
}

const bookmarks = (from: number): string =>
  [
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>",
    ...Array.from(
      { length: BOOKMARKS },
      (_, n) => `<DT><A HREF="https://example.org/${from + n}" ADD_DATE="${1_700_000_000 + n}">Page ${from + n}</A>`,
    ),
  ].join("\n");
