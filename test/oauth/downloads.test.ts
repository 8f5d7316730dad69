// Revoking access also ends running downloads of blobs, files and exports.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOME_OWNER, type Loose } from "../harness.ts";
import { book } from "../library.ts";
import { beginDownload, type SlowDownload } from "../slow-download.ts";
import { connected, postForm, type World, world } from "./world.ts";

/** Far more than the buffers of a connection can hold while its client does not read. */
const LARGE = 64 * 1024 * 1024;

let it: World;
let shelf: string;
let folder: string;
const paths = { blob: "", file: "", export: "" };
type Kind = keyof typeof paths;

beforeAll(async () => {
  it = await world();
  const { server } = it;
  shelf = await server.connect("library", "Large");
  const uploaded = await fetch(`${server.url}/v1/blobs?stream=books&connection_id=${shelf}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${server.owner}` },
    body: new Uint8Array(LARGE),
  });
  const cover = (await uploaded.json()) as Loose;
  paths.blob = `/v1/blobs/${cover.blob_id}`;
  const notes = "long ".repeat(200_000);
  for (let batch = 0; batch < 8; batch++) {
    const one = (n: number) => book(`l${batch}-${n}`, { notes, ...(batch + n === 0 ? { cover } : {}) });
    await server.ingest("books", shelf, [0, 1, 2].map(one));
  }

  folder = mkdtempSync(join(tmpdir(), "pdpp-downloads-"));
  writeFileSync(join(folder, "large"), "");
  truncateSync(join(folder, "large"), LARGE);
  await server.call("POST", "/api/roots", { body: { path: folder } });
  const { body: job } = await server.call("POST", "/api/indexes", { body: { root: folder } });
  await (await server.files()).files.jobEnded(job.jobId);
  const { body: tree } = await server.get("/api/indexes/ix1/tree");
  paths.file = `/api/indexes/ix1/nodes/${tree.entries[0].nodeId}/download`;
});
afterAll(async () => {
  await it.close();
  rmSync(folder, { recursive: true });
});

/** Creates an export, which belongs to the grant under which it was made. */
async function exported(token: string): Promise<string> {
  const query = { stream: "books", connection_id: shelf };
  const { body } = await it.server.call("POST", "/v1/exports", { token, body: query });
  for (;;) {
    const { body: job } = await it.server.get(`/v1/exports/${body.export_id}`, { token });
    if (job.status === "succeeded") return job.download_url;
    if (job.status === "failed") throw new Error(JSON.stringify(job));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const pathOf = async (kind: Kind, token: string): Promise<string> =>
  kind === "export" ? exported(token) : paths[kind];

const begin = (path: string, headers: Record<string, string>): Promise<SlowDownload> =>
  beginDownload(it.url + path, headers);
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

async function expectCut(download: SlowDownload): Promise<void> {
  const { bytes, error } = await download.rest();
  expect(error).toBe("ECONNRESET");
  expect(bytes).toBeLessThan(download.promised);
}

const granted = (kind: Kind, more: object = {}): Promise<Loose> =>
  it.server.grant({
    ...(kind === "file"
      ? { files: { roots: [folder], may: ["navigate", "download"] } }
      : { selections: [{ connection_id: shelf, stream: "books" }] }),
    ...more,
  });

describe("G-08 a running download ends", () => {
  test.each(["blob", "file", "export"] as const)(
    "G-08 a download of a %s ends when the owner revokes the grant",
    async (kind) => {
      const { access_token, grant_id } = await granted(kind);
      const download = await begin(await pathOf(kind, access_token), bearer(access_token));
      expect(download.status).toBe(200);
      await it.server.call("POST", `/v1/grants/${grant_id}/revoke`);
      await expectCut(download);
    },
  );

  test.each(["blob", "file", "export"] as const)(
    "G-08 a download of a %s under a revoked grant ends even if the client does not read",
    async (kind) => {
      const { access_token, grant_id } = await granted(kind);
      const download = await begin(await pathOf(kind, access_token), bearer(access_token));
      await it.server.call("POST", `/v1/grants/${grant_id}/revoke`);
      const action = { blob: "blobServed", file: "files.served", export: "exportServed" }[kind];
      const closing = async (): Promise<Loose> => {
        const { body } = await it.server.get("/v1/activity", { query: { grant_id, limit: 20 } });
        return body.data.find((line: Loose) => line.action === action);
      };
      let line: Loose;
      while (line === undefined) line = await closing();
      expect(line).toMatchObject({ outcome: "grant_revoked" });
      expect(line.bytes).toBeGreaterThan(0);
      expect(line.bytes).toBeLessThan(download.promised);
    },
  );

  test("G-08 a download ends when its package, or the one grant that allows it, is revoked", async () => {
    const package_ = () =>
      it.server.grant({
        selections: [
          { connection_id: shelf, stream: "books" },
          { connection_id: it.town, stream: "books" },
        ],
      });
    const whole = await package_();
    const one = await begin(paths.blob, bearer(whole.access_token));
    await it.server.call("POST", `/v1/grants/${whole.grant_package_id}/revoke`);
    await expectCut(one);

    const part = await package_();
    const other = await begin(paths.blob, bearer(part.access_token));
    const { grant_id } = part.grants.find((grant: Loose) => JSON.stringify(grant).includes(shelf));
    await it.server.call("POST", `/v1/grants/${grant_id}/revoke`);
    await expectCut(other);
    expect((await it.server.get("/v1/schema", { token: part.access_token })).status).toBe(200);
  });

  test("G-08 a download ends when the app revokes its own grant", async () => {
    const { client, tokens } = await connected(it, { streams: [`${shelf}/books`] });
    const download = await begin(paths.blob, bearer(tokens.access_token));
    expect(download.status).toBe(200);
    await postForm(`${it.url}/oauth/revoke`, { token: tokens.refresh_token, client_id: client.client_id });
    await expectCut(download);
  });

  test("G-08 a download ends when the owner's token is revoked", async () => {
    const issued = await it.server.host.call("issueOwnerToken", {}, HOME_OWNER);
    const download = await begin(paths.file, bearer(issued.access_token));
    await it.server.call("DELETE", `/v1/owner-tokens/${issued.token_id}`);
    await expectCut(download);
  });

  test("G-08 a download ends when the owner's session ends", async () => {
    const cookie = [...it.browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const download = await begin(`/~${it.browser.key}/dashboard${paths.blob}`, { Cookie: cookie });
    expect(download.status).toBe(200);
    await it.server.host.call("endSessions", { id: "all" }, HOME_OWNER);
    await expectCut(download);
  });

  test("G-08 a download ends when the grant expires", async () => {
    let token = "";
    let download: SlowDownload | undefined;
    // On a loaded machine, a short-lived grant might expire before the download starts.
    for (let seconds = 1; download?.status !== 200; seconds *= 2) {
      token = (await granted("file", { expires_in_seconds: seconds })).access_token;
      download = await begin(paths.file, bearer(token));
    }
    while ((await it.server.get("/api/roots", { token })).status === 200);
    await expectCut(download);
  });
});

test("G-08 an uninterrupted download is complete, byte for byte, even in ranges", async () => {
  const { access_token } = await granted("file");
  const headers = bearer(access_token);
  expect(await (await begin(paths.file, headers)).rest()).toEqual({ bytes: LARGE, error: undefined });
  const part = await begin(paths.file, { ...headers, Range: "bytes=5-20000004" });
  expect(part.status).toBe(206);
  expect(await part.rest()).toEqual({ bytes: 20_000_000, error: undefined });
});
