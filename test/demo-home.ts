// Homes with the demo's data: filled once per test run, and copied for each file that needs one.
import { cpSync, existsSync, mkdtempSync, renameSync } from "node:fs";
import { join } from "node:path";
import { demoFiller } from "../src/demo/fill.ts";
import { startServer } from "../src/main.ts";
import { newHome } from "./harness.ts";
import { onceInRun } from "./once-in-run.ts";

/** A separate home without owner or token; the caller removes it. */
export async function demoHome(): Promise<string> {
  const home = newHome();
  const run = process.env.POSTERN_TEST_RUN;
  if (run === undefined) await fill(home);
  else cpSync(await filledIn(run), home, { recursive: true });
  return home;
}

async function filledIn(run: string): Promise<string> {
  const place = join(run, "demo-home");
  await onceInRun(
    "demo-home",
    () => existsSync(place),
    async () => {
      const aside = mkdtempSync(join(run, "demo-aside-"));
      await fill(aside);
      renameSync(aside, place);
    },
  );
  return place;
}

async function fill(home: string): Promise<void> {
  const log = (): void => undefined;
  const server = await startServer({ home, port: 0, log, prepare: demoFiller(home, log) });
  await server.close();
}
