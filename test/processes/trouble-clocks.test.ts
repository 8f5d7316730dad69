// P-07: processes with different clocks. A large difference is refused. A small one affects only the time at which a
// grant expires.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pdpp, type ServerProcess, startServerProcess } from "../crash/server-process.ts";
import { until } from "../events/receiver.ts";
import { clientOf, newHome } from "../harness.ts";
import { BOOKS, library } from "../library.ts";
import { emptyDatabase } from "../postgres.ts";

const home = newHome();
let database: Awaited<ReturnType<typeof emptyDatabase>>;
const servers: ServerProcess[] = [];

beforeAll(async () => {
  database = await emptyDatabase();
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await database.drop();
  rmSync(home, { recursive: true, force: true });
});

/** Returns environment variables that shift the clock in all threads of a process. */
function shifted(seconds: number): Record<string, string> {
  const file = join(home, `clock${seconds}.mjs`);
  writeFileSync(
    file,
    `const real = Date.now;
     Date.now = () => real() + ${seconds * 1000};
     globalThis.Date = new Proxy(Date, {
       construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [target.now()] : args, made),
     });`,
  );
  return { DATABASE_URL: database.url, NODE_OPTIONS: `--import ${pathToFileURL(file).href}` };
}

it.each([
  [600, "ahead of"],
  [-600, "behind"],
])("P-07 a clock that is %i s off is refused at startup, with advice", async (seconds, words) => {
  for (const args of [
    ["serve", "--port", "0"],
    ["serve", "--port", "0", "--public-url", "http://*.data.example"],
    ["query", "books"],
  ]) {
    const { code, out } = await pdpp([...args, "--home", home], shifted(seconds));
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(`this machine's clock is (599|600|601) s ${words} the database's`),
    ]);
    expect(out).toMatch(/Synchronise both clocks \(NTP\)/);
    expect(out).not.toMatch(/\n\s+at /);
  }
});

it("P-07 with clocks 80 s apart, jobs run once, and a grant expires by the clock of the server that gets the request", async () => {
  for (const seconds of [40, -40]) servers.push(await startServerProcess(home, shifted(seconds)));
  const { out } = await pdpp(["owner", "token", "--json", "--home", home], { DATABASE_URL: database.url });
  const token = (JSON.parse(out.trim().split("\n").at(-1)!) as { access_token: string }).access_token;
  const [early, late] = [clientOf(servers[1]!.url, token), clientOf(servers[0]!.url, token)];
  await early.register("library", library);
  const connection = await late.connect("library", "Shelf");
  for (const [n, book] of BOOKS.slice(0, 6).entries()) await (n % 2 ? early : late).ingest("books", connection, [book]);

  const query = { connection_id: connection, limit: 50 };
  const lists = await Promise.all([early, late].map((at) => at.get("/v1/streams/books/records", { query })));
  expect(lists[0]!.body.data).toHaveLength(6);
  expect(lists[0]!.body.data).toEqual(lists[1]!.body.data);

  const jobs: string[] = [];
  for (const at of [early, late]) {
    const body = { stream: "books", connection_id: connection, format: "jsonl" };
    jobs.push((await at.call("POST", "/v1/exports", { body })).body.export_id);
  }
  for (const id of jobs)
    for (const at of [early, late]) {
      await until(
        async () => (await at.get(`/v1/exports/${id}`)).body.status,
        (status) => status === "succeeded",
      );
      expect((await at.get(`/v1/exports/${id}/download`)).text.trim().split("\n")).toHaveLength(6);
    }

  const granted = await early.grant({
    selections: [{ connection_id: connection, stream: "books" }],
    client_name: "Reader",
    expires_in_seconds: 5,
  });
  const read = (at: typeof early) =>
    at.get("/v1/streams/books/records", { query, token: granted.access_token }).then(({ status }) => status);
  expect([await read(early), await read(late)]).toEqual([200, 401]);
  await until(
    () => read(early),
    (status) => status !== 200,
  );
  expect([await read(early), await read(late)]).toEqual([401, 401]);

  const verdict = await pdpp(["doctor", "--home", home], { DATABASE_URL: database.url });
  expect([verdict.code, verdict.out]).toEqual([0, expect.stringContaining("All is well")]);
});
