// Every example of the help reads something on the demo home.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS, type CommandName } from "../src/surfaces/cli/commands.ts";
import { shellWords } from "../src/surfaces/cli/shell-words.fixture.ts";
import type { Loose } from "./harness.ts";
import { pdpp, type Run, serve } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-examples-"));
const home = join(folder, "home");
/** Connections to put where an example says cin_…. Examples that bring in, delete or copy need files of one's own. */
let connections: string[] = [];

beforeAll(async () => {
  const server = await serve(home, ["--demo"]);
  await server.stop();
  const listed = await pdpp(["connections", "--json", "--home", home]);
  connections = listed.json.data.map((row: Loose) => row.connection_id);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each<CommandName>(["schema", "query", "aggregate", "search", "fetch", "read", "grants", "activity"])(
  "pdpp %s",
  (name) => {
    it("has examples that work on the demo home", async () => {
      const { examples } = await COMMANDS[name]();
      for (const example of examples.filter((line) => !line.includes("grt_…"))) {
        const last = await firstThatWorks(shellWords(example).slice(1));
        expect([example, last.code, last.stderr]).toEqual([example, 0, last.stderr]);
        expect(last.stdout, example).not.toMatch(/^(Nothing found|No record)/);
      }
    });
  },
);

/** With one connection after the other, until one fits: an example names the kind, not the id. */
async function firstThatWorks(args: string[]): Promise<Run> {
  const open = args.some((word) => word.includes("cin_…"));
  let run: Run | undefined;
  for (const connection of open ? connections : [""]) {
    run = await pdpp([...args.map((word) => word.replace("cin_…", connection)), "--home", home]);
    if (run.code === 0) break;
  }
  return run!;
}
