// Homes with the demo data: filled once per test run, and copied for each test file that needs one.
import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, renameSync } from "node:fs";
import { join } from "node:path";
import { ID_PREFIX } from "../src/contract/ids.ts";
import { demoFiller } from "../src/demo/fill.ts";
import { startServer } from "../src/main.ts";
import { HOME_OWNER, newHome } from "./harness.ts";
import { onceInRun } from "./once-in-run.ts";

/** Returns a separate home without an owner or a token. The caller removes it. */
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
  // Builds the indexes here, because building them in each copy took two CPU seconds.
  const id = (): string => ID_PREFIX.demo + randomUUID();
  await server.host.call("search", { q: "Lisbon" }, HOME_OWNER, id());
  await server.host.call("timelineCounts", { granularity: "month" }, HOME_OWNER, id());
  await server.close();
}
