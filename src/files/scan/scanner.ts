// The scanner is a separate process because it changes its current directory, which all threads of a process share.
// Names relative to that directory are a quarter cheaper to look up than full paths.
import { lstatSync, readSync, realpathSync, statSync, writeSync } from "./disk-calls.ts";
import { ignoreRules } from "./ignore.ts";
import { BlockWriter, type LinkToResolve, type ResolvedLink, type ScanSettings, type ScanTask } from "./messages.ts";
import { DirectoryCursor, diskName, trackOf } from "./place.ts";
import { type ScanWalk, walk } from "./walk.ts";

const INPUT = 0;
const OUTPUT = 1;

const out = new BlockWriter(send);
let settings: ScanSettings | undefined;
let walker: ScanWalk | undefined;

for (let task = receive(); task !== undefined; task = receive()) run(task);

function run(task: ScanTask): void {
  if ("settings" in task) begin(task.settings);
  else if ("leave" in task) {
    begin(undefined);
    process.chdir("/");
  } else {
    // Settings may arrive before the writer has checked that the root exists. Tasks arrive after that check.
    walker ??= walkerOf(settings);
    if ("walk" in task) out.answer({ left: walk(walker, task.walk, task.entries, task.below) });
    else {
      const { place, settings: of } = walker;
      out.answer({ links: task.resolve.map((link) => resolve(of.root, place, link)) });
    }
  }
}

function begin(next: ScanSettings | undefined): void {
  settings = next;
  walker = undefined;
}

function walkerOf(of: ScanSettings | undefined): ScanWalk {
  if (of === undefined) throw new Error("settings must be sent first");
  const { dev } = lstatSync(diskName(of.root));
  const place = new DirectoryCursor(of.root);
  return { settings: of, place, ignore: ignoreRules(of.ignore), out, dev, own: new Set(of.own) };
}

/** Returns the real path of the directory that a link points to, if it is inside the root. */
function resolve(root: string, place: DirectoryCursor, { path, name }: LinkToResolve): ResolvedLink | null {
  try {
    place.enter(trackOf(path), 0, -1);
    const link = diskName(name);
    if (!lstatSync(link).isSymbolicLink()) return null;
    const facts = statSync(link);
    if (!facts.isDirectory()) return null;
    const real = realpathSync.native(link, { encoding: "buffer" }).toString("latin1");
    if (real !== root && !real.startsWith(root === "/" ? root : `${root}/`)) return null;
    const inside = real
      .slice(root.length)
      .split("/")
      .filter((part) => part !== "");
    return { path: inside, dev: facts.dev, ino: facts.ino };
  } catch {
    // The link is broken or circular.
    return null;
  }
}

/** Returns undefined once the writer has no more tasks or has exited. */
function receive(): ScanTask | undefined {
  const head = read(4);
  const text = head && read(head.readUInt32LE(0));
  return text && (JSON.parse(text.toString("utf8")) as ScanTask);
}

function read(length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const got = readSync(INPUT, bytes, at, length - at, null);
    if (got === 0) return undefined;
    at += got;
  }
  return bytes;
}

/** Blocks until the writer reads, which is how a pause works. If the writer has exited, so does the scanner. */
function send(bytes: Uint8Array): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(OUTPUT, bytes, at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EPIPE") process.exit(0);
    throw error;
  }
}
