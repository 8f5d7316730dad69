// Trees for tests of the files lens, and an independent walk that shows what an index must contain.
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { FileJob, FileNode, IndexOptions } from "../contract/files.ts";
import { type Files, type FilesOptions, openFiles } from "./files.ts";

export const newFolder = (name: string): string => realpathSync(mkdtempSync(join(tmpdir(), `postern-${name}-`)));

/** Creates a directory that is removed after the test. */
export function temporary(name: string): string {
  const path = newFolder(name);
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Names with a trailing slash become directories. Others become files with this many bytes or this text. */
export function makeTree(root: string, tree: Record<string, number | string | Uint8Array>): void {
  for (const [path, content] of Object.entries(tree)) {
    const full = join(root, path);
    mkdirSync(path.endsWith("/") ? full : join(full, ".."), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(full, typeof content === "number" ? "x".repeat(content) : content);
  }
}

export interface WalkedTotals {
  files: number;
  dirs: number;
  size: number;
  allocated: number;
}

export interface WalkedNode {
  path: string;
  facts: Stats;
}

/** The simplest possible walk. Paths have one character per byte. */
export function* walkTree(root: string, below = ""): Generator<WalkedNode> {
  const names = readdirSync(Buffer.from(below === "" ? root : `${root}/${below}`, "latin1"), { encoding: "buffer" });
  for (const name of names) {
    const path = below === "" ? name.toString("latin1") : `${below}/${name.toString("latin1")}`;
    const facts = lstatSync(Buffer.from(`${root}/${path}`, "latin1"));
    yield { path, facts };
    if (facts.isDirectory()) yield* walkTree(root, path);
  }
}

/** Counts like `du`: a file with several names counts once, and directories count with their size on disk. */
export function walkedTotals(root: string): WalkedTotals {
  const totals = { files: 0, dirs: 0, size: 0, allocated: lstatSync(root).blocks * 512 };
  const seen = new Set<string>();
  for (const { facts } of walkTree(root)) {
    if (facts.isDirectory()) totals.dirs++;
    else totals.files++;
    const identity = `${facts.dev} ${facts.ino}`;
    if (!facts.isDirectory() && facts.nlink > 1 && seen.has(identity)) continue;
    seen.add(identity);
    if (facts.isFile() || facts.isSymbolicLink()) totals.size += facts.size;
    totals.allocated += facts.blocks * 512;
  }
  return totals;
}

export function testFiles(home = temporary("home"), options: Partial<FilesOptions> = {}): Files {
  const files = openFiles({ home, ...options });
  onTestFinished(() => files.close());
  return files;
}

/** Indexes a directory and waits for the scan to end. */
export async function indexTree(
  files: Files,
  path: string,
  options?: IndexOptions,
): Promise<{ indexId: string; root: string; job: FileJob }> {
  const { rootId } = await files.addRoot({ path });
  const { jobId } = await files.index({ rootId, options });
  const job = await files.jobEnded(jobId);
  if (job.status !== "succeeded") throw new Error(`the scan ${job.status}: ${job.error}`);
  const { indexId, rootNodeId } = await files.indexInfo(job.indexId);
  return { indexId, root: rootNodeId, job };
}

export async function rescanTree(files: Files, indexId: string, options?: { verify?: boolean }): Promise<FileJob> {
  const job = await files.jobEnded((await files.rescan(indexId, options)).jobId);
  if (job.status !== "succeeded") throw new Error(`the scan ${job.status}: ${job.error}`);
  return job;
}

/** Lists everything below a node, one directory at a time. */
export async function listAll(
  files: Files,
  indexId: string,
  nodeId: string,
  below = "",
): Promise<Map<string, FileNode>> {
  const found = new Map<string, FileNode>();
  for (let cursor: string | undefined, more = true; more; ) {
    const { entries, nextCursor } = await files.children(indexId, nodeId, { limit: 100, cursor });
    for (const entry of entries) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      found.set(path, entry);
      if (entry.kind === "dir")
        for (const [inner, node] of await listAll(files, indexId, entry.nodeId, path)) found.set(inner, node);
    }
    cursor = nextCursor;
    more = nextCursor !== undefined;
  }
  return found;
}

export async function totalsOf(files: Files, indexId: string): Promise<WalkedTotals> {
  const { problems: _problems, ...totals } = (await files.indexInfo(indexId)).totals!;
  return totals;
}
