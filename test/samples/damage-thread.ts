// The thread that damages samples and imports them. It reports each case before starting it, so that a hang can be
// attributed.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { ARCHIVE_LIMITS } from "../../src/collect/archive/limits.ts";
import { unpackedFolder } from "../../src/collect/archive/unpacked.ts";
import type { Importer, ImportInput } from "../../src/collect/importer.ts";
import { IMPORTERS } from "../../src/collect/importers/index.ts";
import { recognise } from "../../src/collect/recognise.ts";
import { walk } from "../../src/collect/walk.ts";
import { type Random, randomFrom } from "../crash/random.ts";
import type { DamageData, FromDamage } from "./damage.ts";

/** Only the start of a larger file is damaged. */
const BYTES_MAX = 2 * 1024 * 1024;
/** Byte sequences that often break parsers. */
const TRICKY_BYTES = [
  "\0",
  '"',
  "<",
  "{",
  "[",
  "\n",
  "\r\n\r\n",
  "&#0;",
  "9".repeat(400),
  "\ud800",
  "=?utf-8?B?",
  "--",
  "\xff",
];

const { samples, scratch, seed, truncations, mutations, filesPerFolder } = workerData as DamageData;
const say = (message: FromDamage): void => parentPort!.postMessage(message);

for (const folder of readdirSync(samples, { withFileTypes: true })) {
  if (!folder.isDirectory()) continue;
  const top = join(samples, folder.name);
  const files = readdirSync(top, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const paths = files.map((file) => join(file.parentPath, file.name).slice(top.length + 1)).sort();
  const beside = new Set(paths);
  // Treats marker files as present, although only the damaged file is passed.
  const importers = IMPORTERS.map(
    (importer): Importer => ({
      ...importer,
      recognise: (glance) =>
        importer.recognise({
          ...glance,
          has: (path) => glance.has(path) || (beside.has(path) && path !== glance.path),
        }),
    }),
  );
  for (const path of chosen(paths)) {
    const whole = readFileSync(join(top, path)).subarray(0, BYTES_MAX);
    if (whole.length === 0) continue;
    const random = randomFrom(seed + whole.length);
    for (let place = 0; place < truncations; place++) {
      const end = place === 0 ? whole.length - 1 : random.below(whole.length);
      await damaged(`${folder.name}/${path} cut at ${end}`, path, whole.subarray(0, end), importers);
    }
    for (let round = 0; round < mutations; round++) {
      await damaged(`${folder.name}/${path} mutation ${round}`, path, mutated(whole, random), importers);
    }
  }
}

/** Returns at most `filesPerFolder` paths of each folder, at equal distances from a random start. */
function chosen(paths: readonly string[]): string[] {
  if (filesPerFolder === undefined) return [...paths];
  return [...Map.groupBy(paths, dirname).values()].flatMap((own) => {
    const count = Math.min(own.length, filesPerFolder);
    const start = randomFrom(seed).below(own.length);
    return Array.from({ length: count }, (_, n) => own[(start + Math.floor((n * own.length) / count)) % own.length]!);
  });
}

async function damaged(name: string, path: string, bytes: Buffer, importers: readonly Importer[]): Promise<void> {
  const file = join(scratch, "file");
  const copies = join(scratch, "copies");
  mkdirSync(copies);
  writeFileSync(file, bytes);
  say({ begun: name });
  const roots = await walk([{ path: file, name: path }], unpackedFolder(copies, ARCHIVE_LIMITS.copyBytes));
  const { groups } = await recognise(roots, importers);
  let events = 0;
  const thrown: string[] = [];
  for (const { importer, input } of groups) {
    try {
      events += await run(importer, input);
    } catch (error) {
      thrown.push(`${importer.name}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  rmSync(copies, { recursive: true });
  say({ ended: name, importers: groups.map(({ importer }) => importer.name), events, thrown });
}

/** Counts the events of one import. No state is kept between runs. */
async function run(importer: Importer, input: ImportInput): Promise<number> {
  // A plan can refuse a file that is no longer recognisable. The runner reports that and continues.
  const questions = await importer.plan(input, {}).then(
    (plan) => plan.questions ?? [],
    () => [],
  );
  const answers = Object.fromEntries(
    questions.map(({ id, options, default: usual }) => [id, usual ?? options?.[0]?.value ?? "UTC"]),
  );
  const blob = async (bytes: Uint8Array, mimeType: string) => ({
    blob_id: `blob_${bytes.byteLength}`,
    mime_type: mimeType,
    size_bytes: bytes.byteLength,
    sha256: "0".repeat(64),
  });
  let events = 0;
  for await (const _ of importer.run(input, { answers, blob, makeId: (identity) => identity })) events++;
  return events;
}

/** Overwrites bytes, inserts a tricky sequence, removes a chunk or repeats a chunk many times. */
function mutated(whole: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(whole);
  for (let hits = 1 + random.below(6); hits > 0; hits--) {
    const at = random.below(bytes.length);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const piece = after.subarray(0, 1 + random.below(64));
    switch (random.below(5)) {
      case 0:
        bytes = Buffer.concat([before, Buffer.from(random.pick(TRICKY_BYTES), "latin1"), after]);
        break;
      case 1:
        bytes = Buffer.concat([before, after.subarray(piece.length)]);
        break;
      case 2:
        bytes = Buffer.concat([before, ...Array<Buffer>(1 + random.below(200)).fill(piece), after]);
        break;
      default:
        bytes[at] = random.below(256);
    }
    if (bytes.length === 0) break;
  }
  return bytes;
}
