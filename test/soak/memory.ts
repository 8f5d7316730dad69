// npm run soak -- memory [MINUTES]: resident memory under reads, writes, exports and grants must not keep growing (O-09).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lineOf, recordAt, STREAM } from "../../bench/data.ts";
import { declareSource } from "../../bench/home.ts";
import { type Client, openClient, requestHead } from "../../bench/http-client.ts";
import { mixedCalls } from "../../bench/mixed-load.ts";
import { issueToken, startPostern } from "../../bench/server.ts";

const MINUTE_MS = 60_000;
const RECORDS = 20_000;
const BATCH = 500;
/** Caches fill and code is compiled during this time. */
const WARM_MINUTES = 20;
const MOST_PER_MINUTE = 1;

const minutes = Number(process.argv[2] ?? 60);
const home = mkdtempSync(join(tmpdir(), "postern-memory-"));
await declareSource(home);
const [owner, grant] = [await issueToken(home, "owner"), await issueToken(home, "grant")];
const server = await startPostern(home);
const { port } = server;
const client = (): Promise<Client> => openClient(port);
const post = (to: Client, target: string, body: Buffer): Promise<string> =>
  to.send(requestHead("POST", target, port, owner, body.length), body);

const writer = await client();
for (let at = 0; at < RECORDS; at += BATCH) await post(writer, `/v1/ingest/${STREAM}`, batchAt(at));

const end = Date.now() + minutes * MINUTE_MS;
const samples: number[] = [];
let calls = 0;
const workers = [reading(), reading(), writing(), exporting(), granting(), sampling()];
await Promise.all(workers);
await server.stop();
rmSync(home, { recursive: true, force: true });

const from = Math.min(WARM_MINUTES, Math.floor(samples.length / 2));
const perMinute = slope(samples.slice(from));
console.log(`${calls} calls in ${minutes} minutes; ${samples.map((one) => Math.round(one)).join(" ")} MB by minute`);
console.log(`${perMinute.toFixed(2)} MB a minute after minute ${from}; at most ${MOST_PER_MINUTE}`);
if (!(perMinute <= MOST_PER_MINUTE)) process.exitCode = 1;

function batchAt(first: number): Buffer {
  const lines = Array.from({ length: BATCH }, (_, index) => lineOf(recordAt((first + index) % RECORDS, RECORDS)));
  // Writes the same records with different text, so that the database grows only by their history.
  return Buffer.from(lines.map((line) => line.replace('"text":"', `"text":"${Date.now() % 7} `)).join(""));
}

async function reading(): Promise<void> {
  const [own, call] = [await client(), mixedCalls(port, grant, RECORDS)];
  for (let index = 0; Date.now() < end; index++) {
    await call(own, index);
    calls += 8;
  }
  own.close();
}

async function writing(): Promise<void> {
  for (let at = 0; Date.now() < end; at += BATCH, calls++) {
    await post(writer, `/v1/ingest/${STREAM}`, batchAt(at % RECORDS));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  writer.close();
}

async function exporting(): Promise<void> {
  while (Date.now() < end) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/export?stream=${STREAM}&format=jsonl`, {
      headers: { Authorization: `Bearer ${grant}` },
    });
    for await (const _part of answer.body ?? []);
    calls++;
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}

async function granting(): Promise<void> {
  const own = await client();
  const body = Buffer.from(JSON.stringify({ all: true, client_name: "soak" }));
  for (; Date.now() < end; calls += 2) {
    const { grant_id } = JSON.parse(await post(own, "/v1/grants", body)) as { grant_id: string };
    await post(own, `/v1/grants/${grant_id}/revoke`, Buffer.from("{}"));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  own.close();
}

async function sampling(): Promise<void> {
  while (Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(MINUTE_MS, end - Date.now())));
    samples.push(server.residentBytes() / 2 ** 20);
    console.error(`minute ${samples.length}: ${samples.at(-1)?.toFixed(1)} MB after ${calls} calls`);
  }
}

/** Returns the slope by least squares, in megabytes per minute. */
function slope(values: readonly number[]): number {
  const mean = (values.length - 1) / 2;
  const average = values.reduce((sum, value) => sum + value, 0) / values.length;
  const [above, below] = values.reduce(
    ([a, b], value, x) => [a + (x - mean) * (value - average), b + (x - mean) ** 2],
    [0, 0],
  );
  return above / below;
}
