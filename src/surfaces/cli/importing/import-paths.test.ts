// Tests that answers at the terminal decide what is planned and imported.
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { importWorld } from "../../../collect/import.fixture.ts";
import type { CommandContext } from "../command.ts";
import { importPaths } from "./import-paths.ts";

let world: ReturnType<typeof importWorld>;
let typed: PassThrough;
const stdin = Object.getOwnPropertyDescriptor(process, "stdin")!;

beforeEach(() => {
  world = importWorld();
  typed = new PassThrough();
  Object.defineProperty(process, "stdin", { value: Object.assign(typed, { isTTY: true }), configurable: true });
});
afterEach(async () => {
  Object.defineProperty(process, "stdin", stdin);
  vi.restoreAllMocks();
  await world.close();
});

interface Imported {
  code: number;
  asked: string[];
  notes: string[];
  last: string;
}

/** Types one line for each question. */
async function answering(lines: string[], paths: string[], options: Partial<CommandContext> = {}): Promise<Imported> {
  const asked: string[] = [];
  const notes: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((part) => {
    if (/\? /.test(String(part))) {
      asked.push(String(part));
      setImmediate(() => typed.write(`${lines.shift() ?? ""}\n`));
    }
    return true;
  });
  const said: string[] = [];
  const context: CommandContext = {
    values: {},
    positionals: paths,
    json: false,
    home: world.home,
    out: (text) => void said.push(text),
    note: (text) => void notes.push(text),
    connect: async () => ({ host: world.host, credential: { home: true } }),
    call: (name, query) => world.host.call(name, query, { home: true }),
    reader: () => Promise.reject(new Error("nothing is read")),
    ...options,
  };
  const code = await importPaths(context, paths, new AbortController().signal);
  return { code, asked, notes, last: said.at(-1)! };
}

const inJson = async (lines: string[], paths: string[]): Promise<Omit<Imported, "last"> & { last: object }> => {
  const imported = await answering(lines, paths, { json: true });
  return { ...imported, last: JSON.parse(imported.last) };
};

const mail = "From a@b Mon Jan  1 00:00:00 2024\nFrom: a@b.example\nSubject: s\nMessage-ID: <1@x>\n\nhello\n";

test("P-05 declares and stores the table with the key chosen at the terminal", async () => {
  const path = world.put("k.csv", "a,b,c\nx,1,2\nx,2,2\ny,3,2\n");
  const { code, asked, last } = await inJson(["nonsense", "b"], [path]);
  expect(asked).toHaveLength(2);
  expect([code, last]).toMatchObject([0, { imported: 3, failed: 0 }]);
  expect((await world.records("k")).map(({ id }) => id).sort()).toEqual(["1", "2", "3"]);
});

test("P-05 uses the account named at the terminal, and asks again for the next group", async () => {
  const paths = [world.put("in.mbox", mail), world.put("q.qif", "!Type:Bank\nD01/31/2024\nT-5.00\nPShop\n^\n")];
  const { code, last } = await inJson(["me@x.example", "Savings"], paths);
  expect([code, last]).toMatchObject([0, { failed: 0 }]);
  const { data } = await world.ask<{ data: { display_name: string }[] }>("connections", {});
  expect(data.map(({ display_name }) => display_name)).toContain("Mail of me@x.example");
  const accounts = (await world.records("accounts")).map(({ data: fields }) => JSON.stringify(fields));
  expect(accounts.join()).toContain("Savings");
  expect(accounts.join()).not.toContain("me@x.example");
});

test("I-04 reuses the previous answers without a terminal, so the same file goes to the same connection", async () => {
  const path = world.put("in.mbox", mail);
  expect((await inJson(["me@x.example"], [path])).last).toMatchObject({ imported: 1 });
  Object.assign(typed, { isTTY: false });
  expect((await inJson([], [path])).last).toMatchObject({ imported: 0, unchanged: 1 });
  const { data } = await world.ask<{ data: object[] }>("connections", {});
  expect(data).toHaveLength(1);
});

test("P-05 ends with a command that reads the largest imported stream, but not with --json or --watch", async () => {
  const paths = [world.put("k.csv", "a,b\nx,1\ny,2\n"), world.put("in.mbox", mail)];
  const { notes } = await answering([], paths);
  const { data } = await world.ask<{ data: { connection_id: string; display_name: string }[] }>("connections", {});
  const { connection_id } = data.find(({ display_name }) => !display_name.startsWith("Mail"))!;
  expect(notes.at(-1)).toBe(`Next: pdpp query k --connection ${connection_id}`);
  for (const options of [{ json: true }, { values: { watch: world.home } }])
    expect((await answering([], paths, options)).notes.join()).not.toContain("Next:");
});
