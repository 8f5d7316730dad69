// Links in responses work for the person who receives them: with the owner's session, or signed for a few minutes under
// the grant.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { book } from "../library.ts";
import { beginDownload } from "../slow-download.ts";
import { formWith, OWNER, ownerBrowser } from "./owner-browser.ts";
import { type World, world } from "./world.ts";

/** Far more than the buffers of a connection can hold while its client does not read. */
const LARGE = 32 * 1024 * 1024;
const BYTES = "the bytes of a cover";

let it: World;
let shelf: string;
let folder: string;
let blob: string;
let large: string;
let file: string;

beforeAll(async () => {
  it = await world();
  const { server } = it;
  shelf = await server.connect("library", "Covers");
  const upload = async (body: string | Uint8Array<ArrayBuffer>): Promise<Loose> => {
    const answer = await fetch(`${server.url}/v1/blobs?stream=books&connection_id=${shelf}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${server.owner}` },
      body,
    });
    const { object: _object, ...stored } = (await answer.json()) as Loose;
    return stored;
  };
  const [cover, scan] = [await upload(BYTES), await upload(new Uint8Array(LARGE))];
  await server.ingest("books", shelf, [book("c1", { cover, notes: "short" }), book("c2", { cover: scan })]);
  [blob, large] = [cover, scan].map(({ blob_id }) => `/v1/blobs/${blob_id}?connection_id=${shelf}`) as [string, string];
  folder = mkdtempSync(join(tmpdir(), "pdpp-links-"));
  writeFileSync(join(folder, "large"), "");
  truncateSync(join(folder, "large"), LARGE);
  await server.call("POST", "/api/roots", { body: { path: folder } });
  const { body: job } = await server.call("POST", "/api/indexes", { body: { root: folder } });
  await (await server.files()).files.jobEnded(job.jobId);
  const { body: tree } = await server.get("/api/indexes/ix1/tree");
  file = `/api/indexes/ix1/nodes/${tree.entries[0].nodeId}`;
});
afterAll(async () => {
  await it.close();
  rmSync(folder, { recursive: true });
});

const granted = (): Promise<Loose> => it.server.grant({ selections: [{ connection_id: shelf, stream: "books" }] });
const sign = async (url: string, token: string): Promise<Loose> =>
  (await it.server.call("POST", "/v1/links", { token, body: { url } })).body;
const plain = (path: string, init: RequestInit = {}) => fetch(it.url + path, { redirect: "manual", ...init });

describe("K-08 a signed link", () => {
  test("K-08 opens one download without a token and is logged as a read by its app", async () => {
    const { access_token, grant_id } = await granted();
    const link = await sign(blob, access_token);
    expect(link).toMatchObject({ object: "signed_link", url: expect.stringContaining(`${blob}&signed=`) });
    expect(Date.parse(link.expires_at) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
    expect(await (await plain(link.url)).text()).toBe(BYTES);
    expect(await (await plain(link.url, { headers: { Range: "bytes=4-8" } })).text()).toBe("bytes");
    expect((await plain(link.url, { method: "HEAD" })).status).toBe(200);
    const { body } = await it.server.get("/v1/activity", { query: { grant_id, limit: 20 } });
    const lines = body.data.filter(({ action }: Loose) => action === "blob");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatchObject({ outcome: "ok", connection_id: shelf, stream: "books" });
  });

  test("K-08 is also available for exports and their files", async () => {
    const { access_token: token } = await granted();
    const query = { stream: "books", connection_id: shelf };
    const { body: info } = await it.server.get("/v1/export/info", { token, query });
    for (const { url } of info.formats) {
      const response = await plain((await sign(url, token)).url);
      expect([response.status, response.headers.get("content-disposition")]).toEqual([
        200,
        expect.stringContaining("attachment"),
      ]);
      await response.arrayBuffer();
    }
    let { body: job } = await it.server.call("POST", "/v1/exports", { token, body: query });
    while (job.status !== "succeeded") ({ body: job } = await it.server.get(`/v1/exports/${job.export_id}`, { token }));
    const text = await (await plain((await sign(job.download_url, token)).url)).text();
    expect(text.trim().split("\n")).toHaveLength(2);
  });

  test("K-08 SECURITY row 28 a link works only unaltered and for one address, and only apps' downloads can be signed", async () => {
    const { access_token } = await granted();
    const { url } = await sign(blob, access_token);
    const signed = new URL(url, it.url).searchParams.get("signed")!;
    const other = `${signed.slice(0, -2)}${signed.endsWith("AA") ? "BB" : "AA"}`;
    for (const [path, init] of [
      [`${large}&signed=${signed}`, {}],
      [`${blob.replace(shelf, it.town)}&signed=${signed}`, {}],
      [`${blob}&x=1&signed=${signed}`, {}],
      [`${blob}&signed=${other}`, {}],
      [`${blob}&signed=`, {}],
      [`/v1/schema?signed=${signed}`, {}],
      [url, { method: "POST" }],
    ] as const) {
      const response = await plain(path, init);
      expect([path, [400, 401, 405].includes(response.status)]).toEqual([path, true]);
      expect(await response.text()).not.toContain(BYTES);
    }
    for (const path of ["/v1/schema", "/v1/streams/books/records", `${it.url}${blob}`, "//elsewhere/v1/export"])
      expect((await sign(path, access_token)).error).toMatchObject({ code: "invalid_request", param: "url" });
    expect((await sign(blob, it.server.owner)).error.code).toBe("invalid_request");
    // The link is limited by its grant, so a link under another grant finds nothing.
    const elsewhere = await it.server.grant({ selections: [{ connection_id: it.town, stream: "books" }] });
    const useless = await sign(blob, elsewhere.access_token);
    expect((await plain(useless.url)).status).toBe(404);
  });

  test.each(["blob", "file"] as const)(
    "K-08 SECURITY row 28 stops working when its grant is revoked, and a running download of a %s is cut off",
    async (kind) => {
      const { access_token, grant_id } =
        kind === "blob"
          ? await granted()
          : await it.server.grant({ files: { roots: [folder], may: ["navigate", "download"] } });
      const link =
        kind === "blob"
          ? (await sign(large, access_token)).url
          : new URL((await it.server.get(file, { token: access_token })).body.urls.signedDownload).href.slice(
              it.url.length,
            );
      const download = await beginDownload(it.url + link, {});
      expect(download.status).toBe(200);
      await it.server.call("POST", `/v1/grants/${grant_id}/revoke`);
      const { bytes, error } = await download.rest();
      expect([error, bytes < download.promised]).toEqual(["ECONNRESET", true]);
      const refused = await plain(link);
      expect([refused.status, ((await refused.json()) as Loose).error.code]).toEqual([403, "grant_revoked"]);
    },
  );
});

describe("K-08 a link in the owner's browser", () => {
  test.each([() => blob, () => `/v1/export?stream=books&connection_id=${shelf}&format=jsonl`, () => file])(
    "K-08 works with a session, or after signing in (%#)",
    async (path) => {
      const answered = await it.browser.get(path());
      expect([answered.status, answered.html.length > 10]).toEqual([200, true]);
      const stranger = ownerBrowser(it.url);
      const asked = await stranger.get(path());
      expect(asked.status).toBe(401);
      const form = formWith(asked, "password");
      const fields = form.fields.map(([name, value]): [string, string] => [
        name,
        name === "name" ? OWNER.name : name === "password" ? OWNER.password : value,
      ]);
      const after = await stranger.post(form.action, fields);
      // Links in the response contain the browser's key.
      const same = ({ html }: { html: string }) => html.replaceAll(/\/~[\w-]{22}/g, "");
      expect([after.status, same(after)]).toEqual([200, same(answered)]);
    },
  );

  test("K-08 an expired or revoked link works with the owner's session; a program gets an error", async () => {
    const { access_token, grant_id } = await granted();
    const { url } = await sign(blob, access_token);
    expect((await ownerBrowser(it.url).get(url)).html).toBe(BYTES);
    await it.server.call("POST", `/v1/grants/${grant_id}/revoke`);
    expect((await it.browser.get(url)).html).toBe(BYTES);
    expect((await ownerBrowser(it.url).get(url)).status).toBe(401);
    expect((await plain(url)).status).toBe(403);
    expect((await plain(blob)).status).toBe(401);
  });
});
