// Files as people upload them: files that raise a question, and imports uploaded and run over HTTP.
import type { Loose, TestServer } from "../harness.ts";

/** Two columns could be the key, so the plan asks. */
export const ASKING_CSV = [
  "day,code,minutes,note",
  ...Array.from({ length: 24 }, (_, n) => `2024-03-${String(n + 1).padStart(2, "0")},r${n},${20 + n},run ${n}`),
  "",
].join("\n");

export const bookmarks = (count: number, from = 0): string =>
  [
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>",
    ...Array.from(
      { length: count },
      (_, n) => `<DT><A HREF="https://example.org/${from + n}" ADD_DATE="${1_700_000_000 + n * 86_400}">Page ${n}</A>`,
    ),
    '<DT><A HREF="nowhere">Broken</A>',
  ].join("\n");

/** Uploads an import and returns its id. Nothing runs yet. */
export async function sendImport(server: TestServer, files: Record<string, string>): Promise<string> {
  let id: string | undefined;
  for (const [name, content] of Object.entries(files)) {
    const size = Buffer.byteLength(content);
    const { body } = await server.call("POST", "/v1/imports", { body: { name, size, import_id: id } });
    const headers = { "Upload-Offset": "0" };
    await server.call("PATCH", body.upload_url, { body: content, headers });
    id = body.import_id;
  }
  return id!;
}

export async function runImport(server: TestServer, id: string, run: object = {}): Promise<Loose> {
  await server.call("POST", `/v1/imports/${id}/run`, { body: run });
  return ended(server, id);
}

export async function ended(server: TestServer, id: string): Promise<Loose> {
  for (;;) {
    // Views of this page are not logged, so polling it is harmless.
    const { body } = await server.get(`/dashboard/import/${id}.json`);
    if (["succeeded", "failed", "cancelled"].includes(body.status)) return (await server.get(`/v1/imports/${id}`)).body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
