// Kills a server repeatedly while records are written and a receiver gets events. No change is missed, and ids are
// stable.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openHome } from "../../src/engine/home.ts";
import { type Receiver, repeatChallenge, startReceiver, until, verified } from "../events/receiver.ts";
import { HOME_OWNER, type Line, type Loose, ndjson } from "../harness.ts";
import { book, library } from "../library.ts";
import { randomFrom } from "./random.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

export interface EventCrashes {
  seed: number;
  kills: number;
  onKill?: (kill: number, summary: string) => void;
}

const BOOKS = 200;
/** A server is killed at a random moment within this time after it is ready. It checks for changes once a second. */
const LIFE_MS = 1600;

/** The state of an app that reads only after an event. */
interface Reader {
  books: Map<string, string>;
  /** The position in each event, by event id. */
  told: Map<string, string>;
  deliveries: number;
  faults: string[];
}

export async function runEventCrashes({
  seed,
  kills,
  onKill,
}: EventCrashes): Promise<{ deliveries: number; events: number }> {
  const random = randomFrom(seed);
  const folder = mkdtempSync(join(tmpdir(), "postern-event-crashes-"));
  const home = join(folder, "home");
  const receiver = await startReceiver();
  const { connection, token, owner, secret } = await prepare(home, receiver);
  const reader: Reader = { books: new Map(), told: new Map(), deliveries: 0, faults: [] };
  const { faults } = reader;
  let server: ServerProcess | undefined;

  const get = async (path: string): Promise<Loose> => {
    const response = await fetch(server!.url + path, { headers: { Authorization: `Bearer ${token}` } });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const all = async (path: string): Promise<Loose[]> => {
    const records: Loose[] = [];
    for (let cursor = ""; ; ) {
      const page = await get(`${path}&limit=100${cursor}`);
      records.push(...page.data);
      if (page.next_cursor === undefined) return records;
      cursor = `&cursor=${page.next_cursor}`;
    }
  };
  receiver.answer = async (delivery, response, request) => {
    const { event } = delivery;
    if (event.data.challenge !== undefined) return repeatChallenge(delivery, response, request);
    const before = reader.told.get(event.id);
    if (before !== undefined && before !== event.data.changes_since) faults.push(`${event.id} changed`);
    if (event.data.stream !== "books") faults.push(`notified of ${event.data.stream}`);
    if (delivery.headers["webhook-id"] !== event.id || verified(secret, delivery).id !== event.id)
      faults.push(`${event.id} has an invalid signature`);
    reader.told.set(event.id, event.data.changes_since);
    try {
      // Reads the changes before it responds, because changes after the response need another event.
      const changed = await all(
        `/v1/streams/books/records?connection_id=${connection}&changes_since=${event.data.changes_since}`,
      );
      for (const { id, data, deleted } of changed) {
        if (deleted) reader.books.delete(id);
        else reader.books.set(id, data.title);
      }
      reader.deliveries++;
      await sleep(random.next() * 60);
      response.writeHead(204).end();
    } catch {
      response.writeHead(500).end();
    }
  };

  let written = 0;
  let stored = 0;
  const line = (): Line => {
    const id = `b${Math.floor(random.next() * BOOKS)}`;
    if (random.next() < 0.15) return { key: id, op: "delete" };
    // The grant excludes the secret field, so most writes change nothing that the grant shows.
    const title = random.next() < 0.6 ? `${id} as first` : `${id} as ${++written}`;
    return book(id, { title, secret: `${random.next()}` });
  };
  const ingest = async (stream: string, lines: readonly Line[]): Promise<void> => {
    const address = `${server!.url}/v1/ingest/${stream}?connection_id=${connection}`;
    const sent = { method: "POST", headers: { Authorization: `Bearer ${owner}` }, body: ndjson(lines) };
    try {
      const response = await fetch(address, sent);
      const report = (await response.json()) as Loose;
      if (response.status !== 200 || report.records_rejected > 0) faults.push(JSON.stringify(report));
      stored++;
    } catch {
      // The server was killed, so it is unknown whether the record was stored.
    }
  };
  const writing = async (goesOn: () => boolean): Promise<void> => {
    while (goesOn()) {
      await ingest("books", Array.from({ length: 1 + Math.floor(random.next() * 5) }, line));
      if (random.next() < 0.3) await ingest("authors", [{ key: "a1", data: { id: "a1", name: `${random.next()}` } }]);
      await sleep(random.next() * 120);
    }
  };

  try {
    for (let kill = 1; kill <= kills; kill++) {
      server = await startServerProcess(home);
      let alive = true;
      const before = stored;
      const writer = writing(() => alive);
      // Usually kills the server after it accepted a write, and otherwise during its start.
      if (random.next() < 0.8) while (stored === before) await sleep(5);
      await sleep(random.next() * LIFE_MS);
      await server.kill();
      alive = false;
      await writer;
      onKill?.(kill, `${reader.deliveries} deliveries of ${reader.told.size} events`);
    }
    server = await startServerProcess(home);
    const truth = async (): Promise<[string, string][]> =>
      (await all(`/v1/streams/books/records?connection_id=${connection}`)).map(({ id, data }) => [id, data.title]);
    const expected = new Map(await truth());
    const missed = (): string[] =>
      [...expected.keys(), ...reader.books.keys()].filter((id) => reader.books.get(id) !== expected.get(id));
    await until(missed, ({ length }) => length === 0).catch(({ message }) => {
      throw new Error(`seed ${seed}: the reader was not notified of everything: ${message}`);
    });
    if (faults.length > 0) throw new Error(`seed ${seed}: ${faults.join("; ")}`);
    return { deliveries: reader.deliveries, events: reader.told.size };
  } finally {
    await server?.stop().catch(() => undefined);
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates a home with books, a grant that excludes their secret field, and a subscription with a verified address. */
async function prepare(home: string, receiver: Receiver) {
  const host = openHome(home, { create: true, note: () => undefined });
  const call = async (method: Parameters<typeof host.call>[0], query: object, as: Loose = HOME_OWNER): Promise<Loose> =>
    await host.call(method, query as never, as);
  await call("putConnector", { connector_key: "library", declaration: library });
  const { connection_id: connection } = await call("createConnection", { connector_id: "library" });
  const owner = (await call("issueOwnerToken", {})).access_token as string;
  const selections = [{ connection_id: connection, stream: "books", fields: ["title"] }];
  const { access_token: token, grants } = await call("issueGrant", { selections });
  await call("allowEventHost", { host: receiver.host, client_id: grants[0].client.client_id });
  const { secret } = await call("createSubscription", { url: receiver.url }, { token });
  await host.close();
  return { connection, owner, token, secret: secret as string };
}
