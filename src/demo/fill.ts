// Fills an empty home with the demo: writes its export files to a temporary folder and imports them as an owner would.
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openParser } from "../collect/parser.ts";
import { runImport } from "../collect/run.ts";
import { PdppError } from "../contract/errors.ts";
import { ID_PREFIX } from "../contract/ids.ts";
import type { Credential } from "../engine/caller.ts";
import { type EngineHost, hostAround } from "../engine/host.ts";
import { homeObjects, type ObjectPlace } from "../engine/objects-place.ts";
import { demoExports } from "./demo.ts";
import type { DemoExport } from "./home.ts";

const OWNER: Credential = { home: true };
/** The prefix of the demo's sources in versions that did not import exports yet. */
const EARLIER_SOURCES = "https://pdpp.dev/connectors/";

/** A step of server startup that fills the home, unless an earlier start did. */
export function demoFiller(
  home: string,
  note: (text: string) => void,
  objects: ObjectPlace = homeObjects(home),
): (host: EngineHost) => Promise<void> {
  return async (server) => {
    // The activity page uses the request ids to tell these calls from the owner's own.
    const host = hostAround(
      server,
      (next) => (name, query, credential) => next(name, query, credential, ID_PREFIX.demo + randomUUID()),
    );
    const all = demoExports();
    const { data: present } = await host.call("connections", {}, OWNER);
    if (present.length > 0 && present.every(({ source }) => source.id.startsWith(EARLIER_SOURCES))) {
      note("This demo home was created by an earlier version and is left unchanged.");
      return;
    }
    const foreign = present.find((row) => !all.some(({ display_name }) => display_name === row.display_name));
    if (foreign) {
      throw new PdppError(
        "already_exists",
        `this home already contains other data (${foreign.display_name}); the demo needs an empty home`,
        {
          next_step: "Choose another directory with --home, or start without --demo.",
        },
      );
    }
    const { data: jobs } = await host.call("imports", {}, OWNER);
    const imported = new Set(jobs.flatMap((job) => (job.status === "succeeded" ? [job.connection_id] : [])));
    const names = present.flatMap((row) => (imported.has(row.connection_id) ? [row.display_name] : []));
    const missing = all.filter(({ display_name }) => !names.includes(display_name));
    if (missing.length === 0) return;
    note("Filling the demo home …");
    const start = performance.now();
    await importAll(missing, { home, objects, host, note });
    // The demo's pictures are landscapes without text, so recognition would take minutes and find nothing.
    await host.call("putRecognition", { paused: true }, OWNER);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    note(`${(await liveRecords(host)).toLocaleString("en-US")} records in ${seconds} s.`);
  };
}

interface Destination {
  home: string;
  objects: ObjectPlace;
  host: EngineHost;
  note: (text: string) => void;
}

/**
 * Imports the exports one by one with a single parser, because starting a parser takes longer than reading most of
 * them.
 */
async function importAll(exports: readonly DemoExport[], { home, objects, host, note }: Destination): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "postern-demo-"));
  const parser = openParser({ home, objects, given: exports.map((one) => writeExport(folder, one)) });
  try {
    const answers = Object.assign({}, ...exports.map((one) => one.answers));
    const { groups } = await parser.plan(answers);
    if (groups.length !== exports.length)
      throw new Error(`the demo was planned as ${groups.length} exports instead of ${exports.length}`);
    for (const [index, { display_name }] of exports.entries()) {
      const job = await runImport({ host, credential: OWNER, parser, answers, as: display_name }, groups[index]!);
      if (job.status !== "succeeded" || job.progress.counts.failed > 0)
        throw new Error(`the demo's ${display_name} could not be imported: ${JSON.stringify(job.progress)}`);
      note(`  ${display_name}: ${Object.keys(job.progress.streams).join(", ")}`);
    }
  } finally {
    await parser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes an export and returns its folder. */
function writeExport(folder: string, { key, files }: DemoExport): string {
  const own = join(folder, key);
  for (const { path, content } of files()) {
    const file = join(own, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return own;
}

async function liveRecords(host: EngineHost): Promise<number> {
  const { data } = await host.call("streams", {}, OWNER);
  return data.reduce((sum, stream) => sum + stream.record_count, 0);
}
