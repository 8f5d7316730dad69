// Walks files on a temporary disk and collects what was found in them, for tests of archives and of the walk.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type InputPath, type Root, walk } from "../walk.ts";
import { ARCHIVE_LIMITS, type ArchiveLimits } from "./limits.ts";
import { unpackedFolder } from "./unpacked.ts";

export interface Walked {
  roots: Root[];
  /** The text of each entry, or why it cannot be read. */
  contents: Record<string, string>;
  unreadable: Record<string, string>;
}

export function newFolder(): { path: string; put(name: string, content: string | Buffer): string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "postern-walk-"));
  return {
    path,
    put(name, content) {
      const place = join(path, name);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, content);
      return place;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

export async function walked(given: readonly InputPath[], limits: Partial<ArchiveLimits> = {}): Promise<Walked> {
  const all = { ...ARCHIVE_LIMITS, ...limits };
  const scratch = mkdtempSync(join(tmpdir(), "postern-scratch-"));
  try {
    const roots = await walk(given, unpackedFolder(scratch, all.copyBytes), { limits: all });
    const contents: Walked["contents"] = {};
    for (const { path, open } of roots.flatMap(({ entries }) => entries)) {
      try {
        const parts: Uint8Array[] = [];
        for await (const part of open()) parts.push(part);
        contents[path] = Buffer.concat(parts).toString("utf8");
      } catch (error) {
        contents[path] = `! ${(error as Error).message}`;
      }
    }
    const unreadable = Object.fromEntries(
      roots.flatMap((root) => [...root.unreadable, ...root.passedOver].map(({ path, reason }) => [path, reason])),
    );
    return { roots, contents, unreadable };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Walks one file with this name and content. */
export async function walkedFile(name: string, content: Buffer, limits: Partial<ArchiveLimits> = {}): Promise<Walked> {
  const folder = newFolder();
  try {
    return await walked([folder.put(name, content)], limits);
  } finally {
    folder.remove();
  }
}
