// Every example in the help works on the demo home.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS, type CommandName } from "../src/surfaces/cli/commands.ts";
import { shellWords } from "../src/surfaces/cli/shell-words.fixture.ts";
import { demoHome } from "./demo-home.ts";
import type { Loose } from "./harness.ts";
import { pdpp } from "./pdpp.ts";

let home: string;
let connections: Loose[] = [];
/** Record ids for the examples that contain `ID…`. */
const ids = new Map<string, string>();

beforeAll(async () => {
  home = await demoHome();
  const listed = await pdpp(["connections", "--json", "--home", home]);
  connections = listed.json.data;
  for (const [stream, filter] of [
    ["messages", "message_id=m-landlord-notice@mail.example"],
    ["notes", "path=Work/Harbour Hall acoustic survey, complete edition.md"],
  ] as const) {
    const { connection_id } = connections.find((row) => row.streams.includes(stream));
    const at = ["--connection", connection_id, "--filter", filter, "--json", "--home", home];
    ids.set(stream, (await pdpp(["query", stream, ...at])).json.data[0].id);
  }
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Commands that import, delete or copy are not included here, because their examples need the reader's files. */
describe.each<CommandName>(["schema", "query", "aggregate", "search", "fetch", "read", "grants", "activity"])(
  "pdpp %s",
  (name) => {
    it("has examples that work on the demo home", async () => {
      const { examples } = await COMMANDS[name]();
      for (const example of examples.filter((line) => !/grt_…|--files/.test(line))) {
        const run = await pdpp([...withConnection(shellWords(example).slice(1)), "--home", home]);
        expect([example, run.code, run.stderr]).toEqual([example, 0, run.stderr]);
        expect(run.stdout, example).not.toMatch(/^(Nothing found|No record)/);
      }
    });
  },
);

/** Replaces cin_… with the first connection that has the stream in question, and ID… with one of its records. */
function withConnection(words: string[]): string[] {
  const named = new Set(words.flatMap((word) => word.split(/[/:]/)));
  const connection = connections.find((row) => row.streams.some((stream: string) => named.has(stream)));
  const id = [...ids].find(([stream]) => named.has(stream))?.[1] ?? "";
  return words.map((word) => word.replace("cin_…", connection?.connection_id).replace("ID…", id));
}
