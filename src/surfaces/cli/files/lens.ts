// Opens the files lens on the home for a command, closes it when the command ends, and resolves paths as people type
// them.
import { homedir } from "node:os";
import { resolve } from "node:path";
import { PdppError } from "../../../contract/errors.ts";
import type { FileIndex, FileNodeDetail } from "../../../contract/files.ts";
import { newRequestId } from "../../../engine/host.ts";
import type { ConnectedRoot } from "../../../files/shell/connected-roots.ts";
import { FileCall } from "../../../files/shell/file-call.ts";
import { FilesLens, type LensOptions } from "../../../files/shell/lens.ts";
import { placeOf } from "../../../files/shell/navigate.ts";
import { openSession, TOP } from "../../../files/shell/sessions.ts";
import { type CommandContext, UsageError } from "../command.ts";

export interface LensUse {
  /**
   * Set if the command works on scans. It then also resumes scans that a killed server left behind; other commands
   * leave those to the server.
   */
  scans?: boolean;
  /** When records are updated. With "later", the server or `pdpp files sync` updates them. */
  records?: LensOptions["records"];
}

export async function withLens<T>(
  context: CommandContext,
  work: (lens: FilesLens) => Promise<T>,
  { scans = false, records = "later" }: LensUse = {},
): Promise<T> {
  const { host, home = context.home } = await context.connect({ create: true, bulk: records === "at once" });
  const lens = new FilesLens({ home, host, resume: scans, records, log: context.note });
  try {
    return await work(lens);
  } finally {
    await lens.close();
  }
}

/** Makes a call as the owner. The call is recorded in the log. */
export const ownerCall = (lens: FilesLens, action: string): FileCall =>
  new FileCall(lens, { credential: { home: true }, requestId: newRequestId(), origin: "" }, action);

/** The result of resolving a typed path. */
export interface FoundPath {
  root: ConnectedRoot;
  index: FileIndex;
  node: FileNodeDetail;
}

/** Resolves a path. If it does not exist on the disk, it is relative to the directory set by `pdpp files cd`. */
export async function placeAt(call: FileCall, path: string | undefined): Promise<FoundPath> {
  const place = await placeOf(
    call,
    await openSession(call),
    path === undefined ? await here(call) : await named(call, path),
  );
  if (place === undefined) {
    throw new PdppError("invalid_request", "specify a path, or change to a directory first", {
      next_step: "`pdpp files roots` lists the approved directories; `pdpp files cd PATH` changes to one.",
    });
  }
  const { root, index } = place;
  if (index === undefined || index.status === "empty") {
    throw new PdppError("not_found", `${root.path} has not been indexed yet`, {
      next_step: `Run \`pdpp files index ${root.path}\`.`,
    });
  }
  return { root, index, node: await call.lens.files.nodeAt(index.indexId, place.path) };
}

/** If there is neither a path nor a current directory, use the only root. */
async function here(call: FileCall): Promise<string> {
  const roots = await call.roots();
  return (await openSession(call)).cwd === TOP && roots.length === 1 ? roots[0]!.path : ".";
}

export async function named(call: FileCall, path: string): Promise<string> {
  if (path === TOP) return path;
  const typed = path.startsWith("~/") ? resolve(homedir(), path.slice(2)) : path;
  const onDisk = resolve(typed);
  const roots = await call.roots();
  const within = roots.some(({ path: root }) => onDisk === root || onDisk.startsWith(root === TOP ? TOP : `${root}/`));
  return typed.startsWith("/") || within ? onDisk : typed;
}

const UNITS: Record<string, number> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

/** `10M`, `4k`, `1500`. */
export function sizeFrom(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const [, number, unit] = /^(\d+(?:\.\d+)?)([kmgt]?)i?b?$/i.exec(text) ?? [];
  if (number === undefined)
    throw new UsageError(`--${option} must be a size such as 4k, 10M or 1.5G, not ${JSON.stringify(text)}`);
  return Math.round(Number(number) * UNITS[unit!.toLowerCase()]!);
}
