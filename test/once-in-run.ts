// Work that a test run needs once: the first process that needs it does it, and the others wait.
import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export async function onceInRun(name: string, isDone: () => boolean, work: () => Promise<void>): Promise<void> {
  const run = process.env.POSTERN_TEST_RUN;
  if (run === undefined) {
    if (!isDone()) await work();
    return;
  }
  const lock = join(run, `${name}-lock`);
  while (!isDone()) {
    if (!isNew(lock)) {
      await sleep(100);
      continue;
    }
    try {
      if (!isDone()) await work();
    } finally {
      rmdirSync(lock);
    }
  }
}

function isNew(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
