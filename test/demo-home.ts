// Homes with the demo's data: filled once per test run, and copied for each file that needs one.
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { demoFiller } from "../src/demo/fill.ts";
import { startServer } from "../src/main.ts";
import { newHome } from "./harness.ts";

/** A separate home without owner or token; the caller removes it. */
export async function demoHome(): Promise<string> {
  const home = newHome();
  const run = process.env.POSTERN_TEST_RUN;
  if (run === undefined) await fill(home);
  else cpSync(await filledIn(run), home, { recursive: true });
  return home;
}

/** Two files may ask at the same time: both fill a home, and the first complete one is kept. */
async function filledIn(run: string): Promise<string> {
  const place = join(run, "demo-home");
  if (existsSync(place)) return place;
  const aside = mkdtempSync(join(run, "demo-aside-"));
  await fill(aside);
  try {
    renameSync(aside, place);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
  return place;
}

async function fill(home: string): Promise<void> {
  const log = (): void => undefined;
  const server = await startServer({ home, port: 0, log, prepare: demoFiller(home, log) });
  await server.close();
}
