// Makes a backup while a server ingests records and issues grants, and restores it into a working server. That server
// must have every write that was acknowledged before the backup.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { filesUnder } from "./files-under.ts";
import { type Client, clientOf, type Loose } from "./harness.ts";
import { BOOKS, book, library, uploadCover } from "./library.ts";
import { pdpp, serve } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-backup-load-"));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("durability: a backup made while a server ingests records and issues grants", () => {
  const BATCH = 50;

  it("P-01, P-08: restores into a working server, including tokens, grants, cursors, blobs and the log", async () => {
    const home = at("busy");
    mkdirSync(home);
    const busy = await serve(home);
    const owner = (await pdpp(["owner", "token", "--home", home, "--json"])).json.access_token as string;
    const client = clientOf(busy.url, owner);
    await client.register("library", library);
    const connection = await client.connect("library", "Mine");
    await client.ingest("books", connection, BOOKS);
    const blob = await uploadCover(client, connection, "the bytes of a cover");
    const kept = await client.grant({ all: true, client_name: "kept" });
    const revoked = await client.grant({ all: true, client_name: "revoked" });
    await client.call("POST", `/v1/grants/${revoked.grant_id}/revoke`);
    const listed = { query: { limit: 5 }, token: kept.access_token };
    const page = (await client.get("/v1/streams/books/records", listed)).body;
    const before = await changesToken(client);

    // Writers run without a pause until the backup is made. The backup must contain every write acknowledged before it
    // started.
    let running = true;
    const batches: string[] = [];
    const grants: Loose[] = [];
    const write = async (name: string): Promise<void> => {
      for (let n = 0; running; n++) {
        await client.ingest(
          "books",
          connection,
          Array.from({ length: BATCH }, (_, i) => book(`${name}${n}-${i}`, { pages: i, notes: "x".repeat(2000) })),
        );
        batches.push(`${name}${n}`);
      }
    };
    const issue = async (): Promise<void> => {
      while (running) grants.push(await client.grant({ all: true, client_name: "load" }));
    };
    const load = Promise.all([write("a"), write("b"), issue()]);
    while (batches.length < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    const acknowledged = { batches: [...batches], grants: [...grants] };
    const made = await pdpp(["backup", at("under-load"), "--home", home, "--json"]);
    const during = batches.length - acknowledged.batches.length;
    running = false;
    await load;
    expect([made.code, made.stderr]).toEqual([0, ""]);
    expect(during).toBeGreaterThan(0);
    const after = await changesToken(client);
    await busy.stop();

    // The backup contains no secrets, and only its owner can read it.
    const secrets = [owner, kept.access_token, revoked.access_token, ...grants.map((grant) => grant.access_token)];
    for (const path of filesUnder(at("under-load"))) {
      expect(statSync(path).mode & 0o077).toBe(0);
      const bytes = readFileSync(path);
      expect(secrets.some((secret) => bytes.includes(secret))).toBe(false);
    }
    expect(statSync(at("under-load")).mode & 0o077).toBe(0);

    const restored = await pdpp(["restore", at("under-load"), "--home", at("restored"), "--json"]);
    expect([restored.code, restored.json.counts]).toEqual([0, made.json.counts]);
    const server = await serve(at("restored"));
    try {
      const again = clientOf(server.url, owner);
      const rows = await again.all("/v1/streams/books/records", { query: { limit: 100, fields: "id" } });
      expect(rows).toHaveLength(made.json.counts.records);
      const perBatch = Map.groupBy(rows, (row) => /^([ab]\d+)-/.exec(row.id)?.[1]);
      for (const name of acknowledged.batches) expect(perBatch.get(name)).toHaveLength(BATCH);
      // A batch is one transaction, so the backup contains either all of it or none.
      for (const [name, members] of perBatch) if (name !== undefined) expect(members).toHaveLength(BATCH);
      const counted = await again.get("/v1/streams/books/aggregate", {
        query: { metric: "count", "filter[pages]": 49 },
      });
      expect(counted.body.value).toBe(perBatch.size - 1);

      for (const { access_token: token } of [kept, ...acknowledged.grants])
        expect((await again.get("/v1/schema", { token })).status).toBe(200);
      expect((await again.get("/v1/schema", { token: revoked.access_token })).body.error.code).toBe("grant_revoked");
      expect((await again.get(`/v1/blobs/${blob}`, { token: kept.access_token })).text).toBe("the bytes of a cover");
      const next = await again.get("/v1/streams/books/records", {
        ...listed,
        query: { limit: 5, cursor: page.next_cursor },
      });
      expect(next.status).toBe(200);

      // The feed continues from a token issued before the backup. A token issued after the backup must be refused: new
      // changes reuse the versions that it covers, so it would skip them.
      const fresh = batches.length * BATCH + 1000;
      await again.ingest(
        "books",
        connection,
        Array.from({ length: fresh }, (_, i) => book(`new-${i}`)),
      );
      const changes = await again.all("/v1/streams/books/records", {
        query: { changes_since: before, limit: 100, fields: "id" },
      });
      expect(changes.filter((row) => row.id.startsWith("new-"))).toHaveLength(fresh);
      const lost = await again.get("/v1/streams/books/records", { query: { changes_since: after } });
      expect([lost.status, lost.body.error.code]).toEqual([410, "cursor_expired"]);
      const verified = await again.get("/v1/activity/verify");
      expect(verified.body.intact).toBe(true);
      // The number of later log lines varies, so read the log backwards until both actions are found.
      const log = new Set<string>();
      for (let before: number | undefined; !(log.has("restore") && log.has("backup")); ) {
        const { data, meta } = (await again.get("/v1/activity", { query: { limit: 100, before } })).body;
        for (const { action } of data as Loose[]) log.add(action);
        before = meta.next_before;
        if (before === undefined) break;
      }
      expect([...log]).toEqual(expect.arrayContaining(["restore", "backup"]));
    } finally {
      await server.stop();
    }
    expect((await pdpp(["doctor", "--deep", "--home", at("restored")])).code).toBe(0);
  });

  async function changesToken(client: Client): Promise<string> {
    let cursor: string | undefined;
    for (;;) {
      const query = { changes_since: "beginning", limit: 100, ...(cursor === undefined ? {} : { cursor }) };
      const { body } = await client.get("/v1/streams/books/records", { query });
      if (body.next_changes_since !== undefined) return body.next_changes_since;
      cursor = body.next_cursor;
    }
  }
});
