// Creates, once per server, a disk with attacks in its file names: scanned twice, with duplicates, a selection and a
// saved search.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printable } from "../../../src/files/printable.ts";
import { shellFor } from "../../../src/files/shell/shell.ts";
import { HOME_OWNER, type TestServer } from "../../harness.ts";
import { HOSTILE, NAME } from "./corpus.ts";

export interface HostileDisk {
  rootId: string;
  indexId: string;
  /** A folder with a hostile name, and a file with one. */
  folder: string;
  file: string;
  selectionId: string;
  /** The file names as pages show them. */
  names: readonly string[];
}

const planted = new WeakMap<TestServer, Promise<HostileDisk>>();

export function hostileDisk(server: TestServer): Promise<HostileDisk> {
  let disk = planted.get(server);
  if (disk === undefined) {
    disk = plant(server);
    planted.set(server, disk);
  }
  return disk;
}

const places: string[] = [];

export function removeHostileDisks(): void {
  for (const place of places.splice(0)) rmSync(place, { recursive: true, force: true });
}

/** A file name cannot contain a slash or be longer than 255 bytes. */
const NAMES = HOSTILE.map((text) => text.replaceAll("/", "∕"));

async function plant(server: TestServer): Promise<HostileDisk> {
  // The disk is outside the home, because neither a home nor anything in it can be a root.
  const place = mkdtempSync(join(tmpdir(), "pdpp-hostile-"));
  places.push(place);
  const root = join(place, NAME);
  // Writes two copies of each file, with a different size per file, so that all of them are duplicates.
  for (const [at, name] of NAMES.entries()) {
    mkdirSync(join(root, "folders", name), { recursive: true });
    for (const place of [join(root, name), join(root, "folders", name, name)])
      writeFileSync(place, "x".repeat(5000 + at));
  }
  const lens = await server.files();
  const { rootId } = await lens.addRoot({ path: root, name: NAME });
  const scan = async (): Promise<string> =>
    (await lens.files.jobEnded((await lens.files.index({ rootId })).jobId)).indexId;
  const indexId = await scan();
  for (const name of NAMES) writeFileSync(join(root, "folders", name, "more.txt"), "more");
  await scan();
  await lens.files.jobEnded((await lens.files.startDigests(indexId)).jobId);
  await lens.files.jobEnded((await lens.syncRecords(rootId))!.jobId);
  const shell = shellFor(lens, { credential: HOME_OWNER, requestId: "req_hostile", origin: server.url });
  const { selectionId } = await shell.queryRun({ indexId, filter: { name: "*__hit*" }, name: NAME });
  const { entries } = await lens.files.find(indexId, { filter: { name: "*onerror*" }, limit: 100 });
  const of = (kind: string): string => entries.find((entry) => entry.kind === kind)!.nodeId;
  const names = NAMES.map((name) => printable(Buffer.from(name)));
  return { rootId, indexId, folder: of("dir"), file: of("file"), selectionId, names };
}
