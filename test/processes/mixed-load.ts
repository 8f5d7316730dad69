// Three servers on one database under mixed load, while servers are killed or paused and the database is restarted.
// Acknowledged writes must exist exactly once, apps must see no more than granted, and revoked grants must be refused
// everywhere.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openStore } from "../../src/store/place.ts";
import { prepareDatabase } from "../../src/store/postgres/prepare.ts";
import { type Random, randomFrom } from "../crash/random.ts";
import { pdpp, type ServerProcess, startServerProcess } from "../crash/server-process.ts";
import { clientOf, type Loose, ndjson } from "../harness.ts";
import { library } from "../library.ts";
import { type Cluster, startCluster } from "../postgres.ts";

export interface MixedLoadOptions {
  seed: number;
  /**
   * The number of disturbances. Every third restarts the database, every fourth pauses a server, and the others kill
   * one.
   */
  rounds: number;
  onRound?: (text: string) => void;
}

export interface MixedLoadFigures {
  acknowledged: number;
  lost: string[];
  twice: string[];
  /** The number of changes that followers of the feed saw. */
  followed: number;
  /** The number of audit lines whose chain was verified. */
  audited: number;
  reads: number;
  /** The number of responses that asked the client to retry later. */
  refusedMeanwhile: number;
  violations: string[];
  revocations: number;
  /** The longest time that a revocation took while a server was paused, possibly in the middle of a write. */
  slowestRevokingMs: number;
  imports: number;
  importsWrong: string[];
  serverKills: number;
  serverPauses: number;
  databaseRestarts: number;
}

const SERVERS = 3;
const WRITERS = 2;
const HIDDEN = "never-to-be-seen";
const FOREIGN = "text/html";

export async function runMixedLoad({ seed, rounds, onRound }: MixedLoadOptions): Promise<MixedLoadFigures> {
  const random = randomFrom(seed);
  const home = mkdtempSync(join(tmpdir(), "postern-processes-"));
  const cluster = await startCluster({ durable: true });
  const env = { DATABASE_URL: cluster.url };
  const servers: ServerProcess[] = [];
  try {
    for (let n = 0; n < SERVERS; n++) servers.push(await startServerProcess(home, env));
    const load = new Load(servers, random, await ownerToken(home, env));
    await load.prepare();
    const working = load.start();
    for (let round = 1; round <= rounds; round++) {
      await wait(500 + random.below(1000));
      if (round % 3 === 0) await restartDatabase(cluster, load.figures);
      else if (round % 4 === 0) await pauseServer(servers, random, load);
      else await replaceServer(servers, home, env, random, load.figures);
      onRound?.(`${round}: ${load.summary()}`);
    }
    await wait(1000);
    load.stop();
    await working;
    await load.verify();
    await verifyAudit(cluster.url, load.figures);
    return load.figures;
  } finally {
    await Promise.allSettled(servers.map((server) => server.kill()));
    await cluster.remove();
    rmSync(home, { recursive: true, force: true });
  }
}

async function ownerToken(home: string, env: Record<string, string>): Promise<string> {
  const { code, out } = await pdpp(["owner", "token", "--json", "--home", home], env);
  if (code !== 0) throw new Error(`no owner token: ${out}`);
  return (JSON.parse(out.trim().split("\n").at(-1)!) as { access_token: string }).access_token;
}

/** Checks that no line is missing, duplicated or changed. */
async function verifyAudit(url: string, figures: MixedLoadFigures): Promise<void> {
  const store = await openStore({ home: "/nowhere", database: await prepareDatabase(url) });
  try {
    const { entries, brokenAt, reason } = await store.audit.verify();
    figures.audited = entries;
    if (brokenAt !== undefined) figures.violations.push(`the audit log at line ${brokenAt}: ${reason}`);
  } finally {
    await store.close();
  }
}

async function restartDatabase(cluster: Cluster, figures: MixedLoadFigures): Promise<void> {
  await cluster.crash();
  await cluster.start();
  figures.databaseRestarts++;
}

async function replaceServer(
  servers: ServerProcess[],
  home: string,
  env: Record<string, string>,
  random: Random,
  figures: MixedLoadFigures,
): Promise<void> {
  const which = random.below(servers.length);
  await servers[which]!.kill();
  servers[which] = await startServerProcess(home, env);
  figures.serverKills++;
}

async function pauseServer(servers: readonly ServerProcess[], random: Random, load: Load): Promise<void> {
  const grants = await load.newGrants(5);
  const paused = random.pick(servers);
  paused.pause();
  try {
    await load.revokeDuringPause(paused, grants);
  } finally {
    paused.resume();
  }
  load.figures.serverPauses++;
}

/** The server is down, or asked the client to retry later. */
class Later extends Error {}

class Load {
  readonly figures: MixedLoadFigures = {
    acknowledged: 0,
    lost: [],
    twice: [],
    followed: 0,
    audited: 0,
    reads: 0,
    refusedMeanwhile: 0,
    violations: [],
    revocations: 0,
    slowestRevokingMs: 0,
    imports: 0,
    importsWrong: [],
    serverKills: 0,
    serverPauses: 0,
    databaseRestarts: 0,
  };
  readonly #servers: readonly ServerProcess[];
  readonly #random: Random;
  readonly #owner: string;
  readonly #acknowledged = new Map<string, string>();
  #connection = "";
  #reader = "";
  #stopped = false;

  constructor(servers: readonly ServerProcess[], random: Random, owner: string) {
    this.#servers = servers;
    this.#random = random;
    this.#owner = owner;
  }

  async prepare(): Promise<void> {
    const client = clientOf(this.#servers[0]!.url, this.#owner);
    await client.register("library", library);
    this.#connection = await client.connect("library", "Shelf");
    this.#reader = (await this.#newGrant()).token;
  }

  async start(): Promise<void> {
    await Promise.all([
      ...Array.from({ length: WRITERS }, (_, n) => this.#write(n)),
      this.#read(),
      this.#revoke(),
      this.#import(),
      this.#follow(),
    ]);
  }

  stop(): void {
    this.#stopped = true;
  }

  summary(): string {
    const { reads, revocations, imports, refusedMeanwhile } = this.figures;
    return `${this.#acknowledged.size} records, ${reads} reads, ${revocations} revocations, ${imports} imports, ${refusedMeanwhile} told to retry`;
  }

  /** Returns a complete response other than "retry later". */
  async #ask(server: ServerProcess, method: string, path: string, token: string, body?: unknown): Promise<Loose> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(server.url + path, {
        method,
        headers: { Authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      });
      text = await response.text();
    } catch (error) {
      throw new Later(String(error));
    }
    if (response.status === 503) {
      this.figures.refusedMeanwhile++;
      throw new Later(text);
    }
    if (response.status >= 500 || response.headers.get("content-type")?.startsWith(FOREIGN))
      this.figures.violations.push(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  }

  /** Tries the servers until one responds. */
  async #must(method: string, path: string, token: string, body?: unknown, at = this.#servers): Promise<Loose> {
    for (;;) {
      try {
        return await this.#ask(this.#random.pick(at), method, path, token, body);
      } catch (error) {
        if (!(error instanceof Later)) throw error;
        await wait(50);
      }
    }
  }

  async #newGrant(): Promise<{ token: string; id: string }> {
    const selection = {
      connection_id: this.#connection,
      stream: "books",
      fields: ["id", "title"],
    };
    const { status, body } = await this.#must("POST", "/v1/grants", this.#owner, { selections: [selection] });
    if (status !== 201 && status !== 200) throw new Error(`no grant: ${status} ${JSON.stringify(body)}`);
    return { token: body.access_token as string, id: body.grant_id as string };
  }

  async #write(writer: number): Promise<void> {
    for (let batch = 0; !this.#stopped; batch++) {
      const lines = Array.from({ length: 5 }, (_, n) => {
        const id = `w${writer}-${batch}-${n}`;
        return { key: id, data: { id, title: `Title of ${id}`, secret: HIDDEN } };
      });
      const path = `/v1/ingest/books?connection_id=${this.#connection}`;
      const { status, body } = await this.#must("POST", path, this.#owner, ndjson(lines));
      if (status !== 200 || body.records_rejected > 0)
        this.figures.violations.push(`ingest: ${status} ${JSON.stringify(body)}`);
      else for (const { key, data } of lines) this.#acknowledged.set(key, data.title);
    }
  }

  async #read(): Promise<void> {
    const path = `/v1/streams/books/records?connection_id=${this.#connection}&limit=20`;
    while (!this.#stopped) {
      const asked = [...this.#acknowledged.keys()];
      const wanted = asked.length === 0 ? undefined : this.#random.pick(asked.slice(-20));
      const { status, body } = await this.#must("GET", path, this.#reader);
      this.figures.reads++;
      if (status !== 200) this.figures.violations.push(`read: ${status} ${JSON.stringify(body)}`);
      if (JSON.stringify(body).includes(HIDDEN)) this.figures.violations.push("a hidden field was shown");
      if (wanted === undefined) continue;
      // Once a server has acknowledged the record, it must be visible at every other server.
      const one = `/v1/streams/books/records/${wanted}?connection_id=${this.#connection}`;
      const found = await this.#must("GET", one, this.#reader);
      this.figures.reads++;
      if (found.status !== 200 || found.body.data?.title !== this.#acknowledged.get(wanted))
        this.figures.violations.push(`${wanted} was acknowledged: ${found.status} ${JSON.stringify(found.body)}`);
    }
  }

  /** Follows the feed at any server, from where another one left off, until every acknowledged record has been seen. */
  async #follow(): Promise<void> {
    const told = new Set<string>();
    let since = "beginning";
    for (let isLast = false; !isLast; ) {
      isLast = this.#stopped;
      const acknowledged = [...this.#acknowledged.keys()];
      let cursor = "";
      const pass = new Set<string>();
      for (;;) {
        const path = `/v1/streams/books/records?connection_id=${this.#connection}&limit=100&changes_since=${since}${cursor}`;
        const { status, body } = await this.#must("GET", path, this.#reader);
        if (status !== 200) {
          this.figures.violations.push(`the feed: ${status} ${JSON.stringify(body)}`);
          return;
        }
        for (const { id } of body.data as { id: string }[]) {
          // Each record is written once, so it must appear once.
          if (pass.has(id) || told.has(id)) this.figures.twice.push(`${id} in the feed`);
          pass.add(id);
        }
        if (!body.has_more) {
          since = encodeURIComponent(body.next_changes_since);
          break;
        }
        cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
      }
      for (const id of pass) told.add(id);
      this.figures.followed = told.size;
      this.figures.lost.push(...acknowledged.filter((id) => !told.has(id)).map((id) => `${id} in the feed`));
      await wait(100);
    }
  }

  async #revoke(): Promise<void> {
    const path = `/v1/streams/books/records?connection_id=${this.#connection}&limit=1`;
    while (!this.#stopped) {
      const { token, id } = await this.#newGrant();
      const before = await this.#must("GET", path, token);
      if (before.status !== 200) this.figures.violations.push(`a new grant: ${before.status}`);
      const answered = await this.#must("POST", `/v1/grants/${id}/revoke`, this.#owner);
      if (answered.status !== 200)
        this.figures.violations.push(`revoking: ${answered.status} ${JSON.stringify(answered.body)}`);
      for (const server of this.#servers) {
        try {
          const after = await this.#ask(server, "GET", path, token);
          if (after.status === 200) this.figures.violations.push("shown after it was revoked");
        } catch (error) {
          // A server that is down shows nothing.
          if (!(error instanceof Later)) throw error;
        }
      }
      this.figures.revocations++;
      await wait(100);
    }
  }

  async newGrants(count: number): Promise<{ token: string; id: string }[]> {
    const grants: { token: string; id: string }[] = [];
    for (let n = 0; n < count; n++) grants.push(await this.#newGrant());
    return grants;
  }

  /** Revokes at the servers that are not paused. They must not wait for the paused one. */
  async revokeDuringPause(paused: ServerProcess, grants: readonly { token: string; id: string }[]): Promise<void> {
    const others = this.#servers.filter((server) => server !== paused);
    for (const { id, token } of grants) {
      const began = performance.now();
      const { status } = await this.#must("POST", `/v1/grants/${id}/revoke`, this.#owner, undefined, others);
      this.figures.slowestRevokingMs = Math.max(this.figures.slowestRevokingMs, performance.now() - began);
      if (status !== 200) this.figures.violations.push(`revoking while a server is paused: ${status}`);
      const path = `/v1/streams/books/records?connection_id=${this.#connection}&limit=1`;
      const after = await this.#must("GET", path, token, undefined, others);
      if (after.status === 200) this.figures.violations.push("shown after it was revoked");
    }
  }

  async #import(): Promise<void> {
    for (let n = 0; !this.#stopped; n++) {
      const rows = 200;
      const text = `id,word\n${Array.from({ length: rows }, (_, row) => `${n}-${row},word${row}`).join("\n")}\n`;
      const name = `table-${n}.csv`;
      const upload = await this.#must("POST", "/v1/imports", this.#owner, { name, size: Buffer.byteLength(text) });
      if (upload.status !== 201) {
        this.figures.importsWrong.push(`${name}: ${upload.status} ${JSON.stringify(upload.body)}`);
        continue;
      }
      await this.#sendFile(upload.body.upload_url, text);
      const id = upload.body.import_id as string;
      await this.#must("POST", `/v1/imports/${id}/run`, this.#owner, { as: `Table ${n}` });
      const ended = await this.#ended(id);
      const report = JSON.stringify(ended);
      if (ended.status !== "succeeded") this.figures.importsWrong.push(`${name}: ${report}`);
      else {
        const found = await this.#countOf(`Table ${n}`);
        if (found !== rows) this.figures.importsWrong.push(`${name}: ${found} of ${rows} records; ${report}`);
      }
      this.figures.imports++;
    }
  }

  async #sendFile(url: string, text: string): Promise<void> {
    for (;;) {
      const server = this.#random.pick(this.#servers);
      try {
        const response = await fetch(server.url + url, {
          method: "PATCH",
          headers: { Authorization: `Bearer ${this.#owner}`, "Upload-Offset": "0" },
          body: text,
        });
        await response.text();
        // 409 means that the upload had arrived, but the response was lost.
        if (response.status === 204 || response.status === 409) return;
      } catch {
        // The server is down.
      }
      await wait(50);
    }
  }

  async #ended(id: string): Promise<Loose> {
    for (;;) {
      const { body } = await this.#must("GET", `/v1/imports/${id}`, this.#owner);
      // Waiting for a paused import would never end.
      if (["succeeded", "failed", "cancelled", "paused"].includes(body.status)) return body;
      await wait(100);
    }
  }

  async #countOf(displayName: string): Promise<number> {
    const { body } = await this.#must("GET", "/v1/connections", this.#owner);
    const connection = (body.data as Loose[]).find(({ display_name }) => display_name === displayName);
    if (connection === undefined) return 0;
    const streams = await this.#must("GET", `/v1/streams?connection_id=${connection.connection_id}`, this.#owner);
    return (streams.body.data as Loose[]).reduce((sum, { record_count }) => sum + (record_count ?? 0), 0);
  }

  /** Checks at every server that each acknowledged record is there exactly once. */
  async verify(): Promise<void> {
    this.figures.acknowledged = this.#acknowledged.size;
    for (const server of this.#servers) {
      const client = clientOf(server.url, this.#owner);
      const records = await client.all("/v1/streams/books/records", {
        query: { connection_id: this.#connection, limit: 100 },
      });
      const seen = new Map<string, string>();
      for (const { id, data } of records) {
        if (seen.has(id)) this.figures.twice.push(id);
        seen.set(id, data.title);
      }
      for (const [id, title] of this.#acknowledged) if (seen.get(id) !== title) this.figures.lost.push(id);
    }
  }
}
