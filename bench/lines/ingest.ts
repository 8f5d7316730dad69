// Ingest over HTTP including the column updates, alternating with bare inserts of the same rows. This benchmark fills
// the home.
import type { Aggregation } from "../../src/contract/answers.ts";
import type { IngestReport } from "../../src/contract/record.ts";
import type { Bench } from "../bench.ts";
import { type BenchRecord, lineOf, recordAt, STREAM } from "../data.ts";
import { type BenchHome, declareSource, folderBytes, markFilled } from "../home.ts";
import { type Client, openClient, requestHead } from "../http-client.ts";
import { flood, median, milliseconds, sampleOf } from "../measure.ts";
import { figure, inMs, type Result } from "../report.ts";
import { issueToken, startPostern } from "../server.ts";
import { type BareInsert, bareInsert } from "../yardsticks/bare-insert.ts";

const BATCH_BYTES = 1024 * 1024;
/** One batch is written while the next one is sent. */
const IN_FLIGHT = 2;

interface Measured {
  /** Records per second in each slice. */
  ours: number[];
  bare: number[];
  /** The milliseconds that each batch took. */
  batches: number[];
  jsonBytes: number;
}

export const ingest: Bench = {
  name: "ingest",
  async onHome(home) {
    if (home.reused) return [];
    await declareSource(home.path);
    const { ours, bare, batches, jsonBytes } = await fill(home);
    markFilled(home.path);
    const { name } = home;
    const perSecond = (rates: readonly number[]): string => `${figure(median(rates) / 1000)} k/s`;
    const quarter = Math.max(1, Math.floor(ours.length / 4));
    const [first, last] = [ours.slice(0, quarter), ours.slice(-quarter)];
    const bareLinear = median(bare.slice(-quarter)) / median(bare.slice(0, quarter));
    const batch = sampleOf(batches);
    const disk = folderBytes(home.path);
    const results: Result[] = [
      {
        line: "ingest over HTTP, including column updates",
        size: name,
        ratio: median(ours.map((rate, slice) => rate / bare[slice]!)),
        budget: { atLeast: 0.5 },
        ours: perSecond(ours),
        yardstick: perSecond(bare),
        against: "bare inserts, 32 rows per statement, synchronous=FULL",
      },
      {
        line: "p99 of an ingest batch",
        size: name,
        ratio: batch.p99 / batch.median,
        ...(batches.length >= 100 ? { budget: { atMost: 6 } } : {}),
        ours: inMs(batch.p99),
        yardstick: inMs(batch.median),
        against: "the median batch",
      },
      {
        line: "disk space of the home",
        size: name,
        ratio: disk / jsonBytes,
        budget: { atMost: 1.4 },
        ours: `${figure(disk / 2 ** 20)} MB`,
        yardstick: `${figure(jsonBytes / 2 ** 20)} MB`,
        against: "the raw JSON of the records",
      },
    ];
    if (ours.length >= 8) {
      results.push({
        line: "ingest rate, last quarter ÷ first quarter",
        size: name,
        ratio: median(last) / median(first) / bareLinear,
        budget: { atLeast: 0.8 },
        ours: `${perSecond(first)} → ${perSecond(last)}`,
        yardstick: figure(bareLinear),
        against: "the same for bare inserts",
      });
    }
    return results;
  },
};

async function fill({ path, records }: BenchHome): Promise<Measured> {
  const token = await issueToken(path, "owner");
  const server = await startPostern(path);
  const clients = await Promise.all(Array.from({ length: IN_FLIGHT }, () => openClient(server.port)));
  const bare: BareInsert = bareInsert(path);
  const measured: Measured = { ours: [], bare: [], batches: [], jsonBytes: 0 };
  const size = Math.max(5000, records / 20);
  for (let start = 0; start < records; start += size) {
    const slice = Array.from({ length: Math.min(size, records - start) }, (_, index) =>
      recordAt(start + index, records),
    );
    const batches = batchesOf(slice);
    for (const { data } of slice) measured.jsonBytes += data.length;
    const sides = [
      async () =>
        measured.ours.push(
          slice.length /
            (await seconds(() => post(clients, server.port, token, batches, start + slice.length, measured.batches))),
        ),
      async () => measured.bare.push(slice.length / (await seconds(() => bare.insert(slice)))),
    ];
    // The order alternates, so that neither side always runs on a warm or a cold machine.
    for (const side of measured.ours.length % 2 === 0 ? sides : sides.reverse()) await side();
  }
  bare.close();
  for (const client of clients) client.close();
  await server.stop();
  return measured;
}

const seconds = async (work: () => unknown): Promise<number> => (await milliseconds(work)) / 1000;

function batchesOf(records: readonly BenchRecord[]): Buffer[] {
  const batches: Buffer[] = [];
  let lines: string[] = [];
  let bytes = 0;
  for (const record of records) {
    const line = lineOf(record);
    lines.push(line);
    bytes += line.length;
    if (bytes < BATCH_BYTES) continue;
    batches.push(Buffer.from(lines.join("")));
    lines = [];
    bytes = 0;
  }
  if (bytes > 0) batches.push(Buffer.from(lines.join("")));
  return batches;
}

/** Sends the batches and then requests a count by group, which waits until the columns contain every record. */
async function post(
  clients: readonly Client[],
  port: number,
  token: string,
  batches: readonly Buffer[],
  total: number,
  times: number[],
): Promise<void> {
  const idle = [...clients];
  const send = async (index: number): Promise<void> => {
    const client = idle.pop()!;
    const body = batches[index]!;
    const head = requestHead("POST", `/v1/ingest/${STREAM}`, port, token, body.length);
    let answer = "";
    times.push(await milliseconds(async () => (answer = await client.send(head, body))));
    const { records_rejected } = JSON.parse(answer) as IngestReport;
    if (records_rejected > 0) throw new Error(`${records_rejected} lines were rejected: ${answer.slice(0, 500)}`);
    idle.push(client);
  };
  await flood(send, 0, batches.length, clients.length);
  const aggregate = requestHead("GET", `/v1/streams/${STREAM}/aggregate?metric=count&group_by=category`, port, token);
  const { filtered_record_count } = JSON.parse(await clients[0]!.send(aggregate)) as Aggregation;
  if (filtered_record_count !== total) throw new Error(`found ${filtered_record_count} records instead of ${total}`);
}
