// The load of the load benchmark: back-to-back aggregates over the whole stream, and an ingest of changed records.
import { parentPort, workerData } from "node:worker_threads";
import { lineOf, recordAt, STREAM } from "./data.ts";
import { openClient, requestHead } from "./http-client.ts";

const { port, token, records, round } = workerData as { port: number; token: string; records: number; round: number };
const BATCH = 1400;
const BATCHES = 8;

/** Records that are not in the home yet: ingesting existing rows would change nothing and cost nothing. */
const bodies = Array.from({ length: BATCHES }, (_, batch) => {
  const first = records + (round * BATCHES + batch) * BATCH;
  return Buffer.from(Array.from({ length: BATCH }, (__, index) => lineOf(recordAt(first + index, records))).join(""));
});

let stopped = false;
const [reader, writer] = [await openClient(port), await openClient(port)];

async function aggregate(): Promise<void> {
  const head = requestHead(
    "GET",
    `/v1/streams/${STREAM}/aggregate?metric=sum&field=amount&group_by_time=booked_at&granularity=month`,
    port,
    token,
  );
  while (!stopped) await reader.send(head);
}

async function ingest(): Promise<void> {
  for (let batch = 0; !stopped; batch++) {
    const body = bodies[batch % BATCHES]!;
    await writer.send(requestHead("POST", `/v1/ingest/${STREAM}`, port, token, body.length), body);
  }
}

parentPort!.once("message", () => {
  stopped = true;
});
const both = Promise.all([aggregate(), ingest()]);
parentPort!.postMessage("running");
await both;
for (const client of [reader, writer]) client.close();
