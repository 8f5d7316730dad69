// Search by meaning: the time to find the passages nearest to a query among a given number of passages, and the memory
// that their vectors need.
import { EVERY_RECORD } from "../../src/core/search/query.ts";
import { compileScope } from "../../src/engine/projection/search/scope.ts";
import { SearchIndex } from "../../src/engine/projection/search/search-index.ts";
import { Vectors } from "../../src/engine/projection/search/vectors/vectors.ts";
import { searchSegments } from "../../src/engine/projection/search-segments.ts";
import { openSqliteStore, prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import type { Bench } from "../bench.ts";
import { randomFrom } from "../data.ts";
import { markFilled, openHome } from "../home.ts";
import { median, milliseconds } from "../measure.ts";
import { inMs, type Result } from "../report.ts";

const DIMENSIONS = 384;
const CENTRES = 500;
const BATCH = 10_000;
const QUERIES = 40;
/** For a million passages. */
const BUDGET = { ms: 60, bytes: 100e6 };

export const meaning: Bench = {
  name: "meaning",
  async onSize(name, { keep }) {
    const { path, records, reused } = openHome(name, keep, `meaning-${name}`);
    prepareHome(path);
    const store = openSqliteStore(path);
    const vectors = new Vectors(searchSegments(store.segments, "vectors", true));
    await vectors.use("bench");
    if (!reused) await fill(vectors, records);
    markFilled(path);
    const index = new SearchIndex({
      store: searchSegments(store.segments, "search", false),
      shapes: () => ({ fields: [{ name: "text", weight: 1 }] }),
      feed: {
        changes: (after, upTo, limit) =>
          Array.from({ length: Math.min(limit, upTo - after) }, (_, at) => {
            const version = after + at + 1;
            return { version, streamNo: 1, id: String(version), born: version, data: '{"text":"word"}' };
          }),
      },
    });
    const taken = await ask(index, vectors, records);
    await store.close();
    // Includes the cached first row of each document's passages, 4 bytes per record.
    const bytes = vectors.bytes + 4 * records;
    const isLarge = records >= 1e6;
    const lines: Result[] = [
      {
        line: `search by meaning, ${records} passages of ${DIMENSIONS} dimensions, p50`,
        size: name,
        ratio: taken.wall / BUDGET.ms,
        ...(isLarge ? { budget: { atMost: 1 } } : {}),
        ours: `${inMs(taken.wall)} (CPU ${inMs(taken.cpu)})`,
        yardstick: inMs(BUDGET.ms),
        against: "the budget",
      },
      {
        line: "memory for the vectors of all passages",
        size: name,
        ratio: bytes / BUDGET.bytes,
        ...(isLarge ? { budget: { atMost: 1 } } : {}),
        ours: `${(bytes / 1e6).toFixed(1)} MB`,
        yardstick: `${BUDGET.bytes / 1e6} MB`,
        against: "the budget",
      },
    ];
    return lines;
  },
};

/** Vectors cluster around a few hundred centres, as those of real texts do. */
function vectorAt(index: number): Float32Array {
  const centre = randomFrom(1_000_000_007 + (index % CENTRES));
  const random = randomFrom(index);
  return Float32Array.from({ length: DIMENSIONS }, () => centre() - 0.5 + 0.8 * (random() - 0.5));
}

async function fill(vectors: Vectors, records: number): Promise<void> {
  for (let from = 0; from < records; from += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, records - from) }, (_, at) => ({
      version: from + at + 1,
      passages: [{ field: "text", start: 0, end: 4, vector: vectorAt(from + at) }],
    }));
    await vectors.add(some, DIMENSIONS, from + some.length);
    await vectors.save();
  }
}

/** Returns the milliseconds of one search, and its CPU milliseconds, which a busy machine does not distort. */
async function ask(index: SearchIndex, vectors: Vectors, records: number): Promise<{ wall: number; cpu: number }> {
  const scope = compileScope([{ streamNo: 1, key: "bench", fields: null }]);
  const walls: number[] = [];
  const cpus: number[] = [];
  for (let at = 0; at < QUERIES; at++) {
    const request = { query: EVERY_RECORD, scope, limit: 10, order: "relevance" as const };
    const meaning = { vectors, vector: vectorAt(records + at), only: true };
    const before = process.cpuUsage();
    walls.push(await milliseconds(() => index.search(request, records, meaning)));
    const { user, system } = process.cpuUsage(before);
    cpus.push((user + system) / 1000);
  }
  return { wall: median(walls.slice(5)), cpu: median(cpus.slice(5)) };
}
