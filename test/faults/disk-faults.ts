// A disk that fails on demand, for one folder and the processes started with its environment.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compilePreload } from "../preload.ts";

/** Listed in the order of docs/work/requirements.md, T-06. On an "unwritable" disk, reads still succeed. */
export type DiskFault = "full" | "read-only" | "unwritable" | "unreadable";

const LETTERS: Record<DiskFault, string> = { full: "F", "read-only": "R", unwritable: "W", unreadable: "E" };

export interface FaultyDisk {
  env: Record<string, string>;
  fail(fault: DiskFault): void;
  heal(): void;
  remove(): void;
}

export function faultyDisk(folder: string): FaultyDisk {
  const own = mkdtempSync(join(tmpdir(), "postern-faults-"));
  const control = join(own, "switch");
  const set = (letter: string): void => writeFileSync(control, letter, { flag: "r+" });
  writeFileSync(control, "-");
  const library = compilePreload(join(import.meta.dirname, "disk-faults.c"), own);
  // PostgreSQL runs as another user, so it needs these permissions even if our umask is 077.
  for (const path of [own, control, library]) chmodSync(path, 0o755);
  return {
    env: { LD_PRELOAD: library, FAULT_FOLDER: folder, FAULT_SWITCH: control },
    fail: (fault) => set(LETTERS[fault]),
    heal: () => set("-"),
    remove: () => rmSync(own, { recursive: true, force: true }),
  };
}
