// T-01, T-05: a leader that is paused (SIGSTOP) for longer than its lease, between a decision and a file change, destroys nothing.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { localHost } from "../../src/engine/local-host.ts";
import { openObjects } from "../../src/engine/objects-place.ts";
import { uploadBlob } from "../../src/engine/upload-blob.ts";
import { openStore } from "../../src/store/place.ts";
import { until } from "../events/receiver.ts";
import { type Client, clientOf, HOME_OWNER, type Loose, ndjson } from "../harness.ts";
import { BOOKS, book, library } from "../library.ts";
import { type TestOwner, testOwner } from "../postgres.ts";
import { type PausingServer, type PausingServerOptions, startPausingServer } from "./pausing.ts";

const DAY = 86_400_000;
const COVER = "the bytes of a cover";
const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

let owner: TestOwner;
let folder: string;
let token: string;
let connection_id: string;
let cover: Loose;
const servers: PausingServer[] = [];

beforeEach(async () => {
  owner = await testOwner();
  folder = mkdtempSync(join(tmpdir(), "postern-pauses-"));
  const place = { kind: "folder", root: join(folder, "shared") } as const;
  mkdirSync(place.root);
  // The clock is two days behind, because an uploaded blob without a record is kept for a day.
  const host = localHost(await openStore({ home: folder, database: owner }), {
    home: folder,
    objects: place,
    persist: false,
    now: () => Date.now() - 2 * DAY,
  });
  const call = (method: Parameters<typeof host.call>[0], query: object): Promise<Loose> =>
    host.call(method, query as never, HOME_OWNER);
  await call("putConnector", { connector_key: "library", declaration: library });
  ({ connection_id } = await call("createConnection", { connector_id: "library" }));
  ({ access_token: token } = await call("issueOwnerToken", {}));
  const uploaded = await uploadBlob(
    { objects: openObjects(place), host, credential: HOME_OWNER },
    (async function* () {
      yield Buffer.from(COVER);
    })(),
    "text/plain",
  );
  const { object: _object, ...reference } = uploaded;
  cover = reference;
  await call("ingest", { stream: "books", connection_id, text: ndjson([...BOOKS, book("covered", { cover })]) });
  await host.close();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await owner.close();
  rmSync(folder, { recursive: true });
});

async function start(name: string, pauseAt?: PausingServerOptions["pauseAt"]): Promise<PausingServer> {
  const home = join(folder, name);
  const { url, subject } = owner;
  const database = { url, subject, pauses: { leaseMs: 1000 } };
  const server = await startPausingServer({ home, root: join(folder, "shared"), database, pauseAt });
  servers.push(server);
  return server;
}

const term = async (): Promise<number> =>
  (await owner.database.session((connection) =>
    connection.row("SELECT term FROM home WHERE subject_id = $1", owner.subject),
  ))![0] as number;

/** Starts a server that pauses at this operation. It is the only server until then, so it is the leader. */
async function leaderThatPauses(operation: "rm" | "rename", path: string) {
  const marker = join(folder, "marker");
  const leader = await start("first", { operation, path, marker });
  return {
    first: clientOf(leader.url, token),
    /** Starts another server, which becomes the leader. */
    async replaced(): Promise<Client> {
      await until(() => existsSync(marker));
      const led = await term();
      const { url } = await start("second");
      await until(term, (now) => now > led);
      return clientOf(url, token);
    },
    /** The paused server continues with the operation, notices that another server is the leader, and exits. */
    async resume(): Promise<void> {
      leader.resume();
      await until(() => readFileSync(marker, "utf8") === "resumed");
      await leader.stop();
    },
  };
}

async function bytesAt({ url }: Client, path: string): Promise<{ status: number; sha256: string }> {
  const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } });
  return { status: answer.status, sha256: sha256(await answer.bytes()) };
}

test("T-01 a blob uploaded again while a paused leader was about to remove its bytes is kept", async () => {
  const { first, replaced, resume } = await leaderThatPauses("rm", "/blobs/");
  // The server may pause before it responds.
  const deleted = first.call("DELETE", "/v1/streams/books/records/covered", { query: { connection_id } });
  const second = await replaced();
  const again = await second.call("POST", "/v1/blobs", {
    query: { stream: "books", connection_id },
    headers: { "Content-Type": "text/plain" },
    body: COVER,
  });
  expect(again).toMatchObject({ status: 201, body: { blob_id: cover.blob_id } });
  await second.ingest("books", connection_id, [book("covered again", { cover })]);
  await resume();
  expect((await deleted).status).toBe(204);
  expect(await bytesAt(second, `/v1/blobs/${cover.blob_id}`)).toEqual({ status: 200, sha256: sha256(COVER) });
});

test("T-05 an export made by another leader is kept when the paused leader continues with its own", async () => {
  const { first, replaced, resume } = await leaderThatPauses("rename", "/exports/");
  const asked = first.call("POST", "/v1/exports", { body: { stream: "books" } });
  const second = await replaced();
  const [made] = (await second.get("/v1/exports")).body.data;
  const status = async (): Promise<Loose> => (await second.get(`/v1/exports/${made.export_id}`)).body;
  const done = await until(status, ({ status: now }) => now === "succeeded" || now === "failed");
  await resume();
  expect((await asked).body.export_id).toBe(made.export_id);
  expect(await status()).toMatchObject({ status: "succeeded", sha256: done.sha256 });
  const path = `/v1/exports/${made.export_id}/download`;
  expect(await bytesAt(second, path)).toEqual({ status: 200, sha256: done.sha256 });
});
