// Servers on one database and one folder under load, paused (SIGSTOP) at random for longer than the lease: all acknowledged data is kept.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { EngineHost } from "../../src/engine/host.ts";
import { localHost } from "../../src/engine/local-host.ts";
import { type ObjectStorage, openObjects } from "../../src/engine/objects-place.ts";
import { uploadBlob } from "../../src/engine/upload-blob.ts";
import { openStore } from "../../src/store/place.ts";
import { prepareDatabase } from "../../src/store/postgres/prepare.ts";
import { type Random, randomFrom } from "../crash/random.ts";
import { HOME_OWNER, type Loose, ndjson } from "../harness.ts";
import { book, library } from "../library.ts";
import { startCluster } from "../postgres.ts";
import { type PausingServer, startPausingServer } from "./pausing.ts";

export interface PausingLoadOptions {
  seed: number;
  pauses: number;
  onPause?: (text: string) => void;
}

export interface PausingLoadFigures {
  pauses: number;
  /** The number of blobs acknowledged after the removal of the same bytes was requested. */
  blobs: number;
  exports: number;
  imports: number;
  /** Acknowledged data that is missing. */
  lost: string[];
}

const SERVERS = 3;
const WRITERS = 3;
const LIMITS = { leaseMs: 3000, writeMs: 3000 };
const LONGEST_PAUSE_MS = 6000;
const DAY = 86_400_000;
const ASK_MS = 20_000;
const EXPORTS_KEPT = 10;

export async function runPausingLoad({ seed, pauses, onPause }: PausingLoadOptions): Promise<PausingLoadFigures> {
  const random = randomFrom(seed);
  const folder = mkdtempSync(join(tmpdir(), "postern-pausing-"));
  const cluster = await startCluster({ durable: true });
  const servers: PausingServer[] = [];
  let load: Load | undefined;
  try {
    const root = join(folder, "shared");
    const own = await prepareDatabase(cluster.url);
    const database = { ...own, pauses: LIMITS };
    for (let n = 0; n < SERVERS; n++)
      servers.push(await startPausingServer({ home: join(folder, `${n}`), root, database }));
    const objects = { kind: "folder", root } as const;
    const store = await openStore({ home: folder, database: own });
    // The clock is two days behind, because an uploaded blob without a record is kept for a day.
    const past = localHost(store, { home: folder, objects, persist: false, now: () => Date.now() - 2 * DAY });
    load = new Load(servers, random, past, openObjects(objects));
    await load.prepare();
    const working = load.start();
    for (let n = 1; n <= pauses; n++) {
      await wait(random.below(500));
      const paused = random.pick(servers);
      paused.pause();
      await wait(LIMITS.leaseMs + random.below(LONGEST_PAUSE_MS - LIMITS.leaseMs));
      paused.resume();
      load.figures.pauses = n;
      onPause?.(`${n}: ${load.summary()}`);
    }
    load.stop();
    await working;
    await load.verify();
    return load.figures;
  } finally {
    load?.stop();
    await Promise.allSettled(servers.map((server) => server.stop()));
    await load?.close();
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

const digest = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

interface Reply {
  status: number;
  bytes: Uint8Array;
  body: Loose;
}

class Load {
  readonly figures: PausingLoadFigures = { pauses: 0, blobs: 0, exports: 0, imports: 0, lost: [] };
  readonly #servers: readonly PausingServer[];
  readonly #random: Random;
  readonly #past: EngineHost;
  readonly #objects: ObjectStorage;
  /** The digest of each acknowledged blob, by id. */
  readonly #blobs = new Map<string, string>();
  readonly #exports: { id: string; sha256: string }[] = [];
  #connection = "";
  #owner = "";
  #stopped = false;

  constructor(servers: readonly PausingServer[], random: Random, past: EngineHost, objects: ObjectStorage) {
    this.#servers = servers;
    this.#random = random;
    this.#past = past;
    this.#objects = objects;
  }

  async prepare(): Promise<void> {
    await this.#call("putConnector", { connector_key: "library", declaration: library });
    this.#connection = (await this.#call("createConnection", { connector_id: "library" })).connection_id;
    this.#owner = (await this.#call("issueOwnerToken", {})).access_token;
  }

  async start(): Promise<void> {
    const writers = Array.from({ length: WRITERS }, (_, n) => this.#replaceBlobs(n));
    await Promise.all([...writers, this.#export(), this.#import()]);
  }

  stop(): void {
    this.#stopped = true;
  }

  close(): Promise<void> {
    return this.#past.close();
  }

  summary(): string {
    const { exports, imports, lost } = this.figures;
    return `${this.#blobs.size} blobs, ${exports} exports, ${imports} imports, ${lost.length} lost`;
  }

  #call(method: Parameters<EngineHost["call"]>[0], query: object): Promise<Loose> {
    return again(() => this.#past.call(method, query as never, HOME_OWNER));
  }

  /** Tries servers until one responds with something other than "retry later". */
  async #ask(method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<Reply> {
    for (;;) {
      const { url } = this.#random.pick(this.#servers);
      try {
        const answer = await fetch(url + path, {
          method,
          headers: { Authorization: `Bearer ${this.#owner}`, ...headers },
          ...(body === undefined ? {} : { body }),
          signal: AbortSignal.timeout(ASK_MS),
        });
        const bytes = await answer.bytes();
        const isJson = answer.headers.get("content-type")?.startsWith("application/json");
        if (answer.status !== 503)
          return { status: answer.status, bytes, body: isJson ? JSON.parse(Buffer.from(bytes).toString()) : undefined };
      } catch {
        // The server is paused and did not respond in time.
      }
      await wait(50);
    }
  }

  /** Adds a blob, removes its record, and uploads the same bytes again while their removal is running. */
  async #replaceBlobs(writer: number): Promise<void> {
    const query = `connection_id=${this.#connection}`;
    for (let n = 0; !this.#stopped; n++) {
      const text = `bytes ${n} of writer ${writer}`;
      const key = `w${writer}-${n}`;
      const { object: _object, ...cover } = await this.#inPast(text);
      await this.#inPastRecord(key, cover);
      await this.#ask("DELETE", `/v1/streams/books/records/${key}?${query}`);
      const type = { "Content-Type": "text/plain" };
      const uploaded = await this.#ask("POST", `/v1/blobs?stream=books&${query}`, text, type);
      if (uploaded.status !== 201 && uploaded.status !== 200) {
        this.figures.lost.push(`upload of ${key}: ${uploaded.status} ${JSON.stringify(uploaded.body)}`);
        continue;
      }
      const line = ndjson([book(`${key}-again`, { cover })]);
      const stored = await this.#ask("POST", `/v1/ingest/books?${query}`, line);
      if (stored.status === 200 && stored.body.records_rejected === 0) this.#blobs.set(cover.blob_id, digest(text));
      else this.figures.lost.push(`record of ${key}: ${stored.status} ${JSON.stringify(stored.body)}`);
    }
  }

  async #inPast(text: string): Promise<Loose> {
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(text);
    }
    const uploader = { objects: this.#objects, host: this.#past, credential: HOME_OWNER };
    return again(() => uploadBlob(uploader, bytes(), "text/plain"));
  }

  async #inPastRecord(key: string, cover: Loose): Promise<void> {
    const text = ndjson([book(key, { cover })]);
    await this.#call("ingest", { stream: "books", connection_id: this.#connection, text });
  }

  async #export(): Promise<void> {
    while (!this.#stopped) {
      const { body } = await this.#ask("POST", "/v1/exports", JSON.stringify({ stream: "books" }));
      const job = await this.#ended(`/v1/exports/${body.export_id}`);
      if (job.status !== "succeeded") this.figures.lost.push(`export: ${JSON.stringify(job)}`);
      else this.#exports.push({ id: job.export_id, sha256: job.sha256 });
      this.figures.exports++;
      if (this.#exports.length > EXPORTS_KEPT) {
        const { id, sha256 } = this.#exports.shift()!;
        await this.#download(id, sha256);
        await this.#ask("DELETE", `/v1/exports/${id}`);
      }
    }
  }

  async #import(): Promise<void> {
    for (let n = 0; !this.#stopped; n++) {
      const text = `id,word\n${Array.from({ length: 50 }, (_, row) => `${n}-${row},word${row}`).join("\n")}\n`;
      const asked = JSON.stringify({ name: `table-${n}.csv`, size: Buffer.byteLength(text) });
      const { body: upload } = await this.#ask("POST", "/v1/imports", asked);
      await this.#ask("PATCH", upload.upload_url, text, { "Upload-Offset": "0" });
      await this.#ask("POST", `/v1/imports/${upload.import_id}/run`, JSON.stringify({ as: `Table ${n}` }));
      const job = await this.#ended(`/v1/imports/${upload.import_id}`);
      if (job.status !== "succeeded") this.figures.lost.push(`import: ${JSON.stringify(job)}`);
      this.figures.imports++;
    }
  }

  async #ended(path: string): Promise<Loose> {
    for (;;) {
      const { body } = await this.#ask("GET", path);
      if (!["open", "queued", "running"].includes(body.status)) return body;
      await wait(100);
    }
  }

  async #download(id: string, sha256: string): Promise<void> {
    const { status, bytes } = await this.#ask("GET", `/v1/exports/${id}/download`);
    if (status !== 200 || digest(bytes) !== sha256) this.figures.lost.push(`export ${id}: download ${status}`);
  }

  async verify(): Promise<void> {
    this.figures.blobs = this.#blobs.size;
    for (const [id, sha256] of this.#blobs) {
      const { status, bytes } = await this.#ask("GET", `/v1/blobs/${id}`);
      if (status !== 200 || digest(bytes) !== sha256) this.figures.lost.push(`blob ${id}: ${status}`);
    }
    for (const { id, sha256 } of this.#exports) await this.#download(id, sha256);
  }
}

/** Retries a write that waited too long behind a paused process. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== "store_unavailable") throw error;
    }
  }
}
