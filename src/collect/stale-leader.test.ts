// T-05: a process that is no longer the leader starts no import and stores no record, however late it continues.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Loose } from "../../test/harness.ts";
import { type TestOwner, testOwner } from "../../test/postgres.ts";
import { type EngineHost, hostAround } from "../engine/host.ts";
import { localHost } from "../engine/local-host.ts";
import { uploadsAt } from "../engine/uploads.ts";
import { openStore } from "../store/place.ts";
import { ImportRunner } from "./import-runner.ts";
import { importService } from "./import-service.ts";
import { scheduleService } from "./schedules/schedule-service.ts";
import { scheduledWork } from "./schedules/scheduled-work.ts";

const OWNER = { home: true } as const;
let owner: TestOwner;
let home: string;
let host: EngineHost;
let called: string[];
/** Sits between a job and its engine. The promise resolves when the call may return. */
let beforeAnswer: (method: string) => Promise<void> | undefined;

beforeEach(async () => {
  owner = await testOwner();
  home = mkdtempSync(join(tmpdir(), "postern-stale-import-"));
  called = [];
  beforeAnswer = () => undefined;
  const store = await openStore({ home, database: { url: owner.url, subject: owner.subject } });
  const engine = localHost(store, { home, persist: false });
  host = hostAround(engine, (ask) => async (name, ...rest) => {
    called.push(name);
    const answer = await ask(name, ...rest);
    await beforeAnswer(name);
    return answer;
  });
});
afterEach(async () => {
  await host.close();
  await owner.close();
  rmSync(home, { recursive: true });
});

const call = (method: Parameters<EngineHost["call"]>[0], query: object): Promise<Loose> =>
  host.call(method, query as never, OWNER);

const elect = async (): Promise<number> =>
  (await owner.database.session((connection) =>
    connection.row("UPDATE home SET term = term + 1 WHERE subject_id = $1 RETURNING term", owner.subject),
  ))![0] as number;

/** Holds back the result of the first call of this method until `resume` is called. */
function pauseAt(method: string): { paused: Promise<void>; resume: () => void } {
  const [paused, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  beforeAnswer = (asked) => {
    if (asked !== method) return undefined;
    beforeAnswer = () => undefined;
    paused.resolve();
    return resumed.promise;
  };
  return { paused: paused.promise, resume: resumed.resolve };
}

test("T-05 a process that lost its leadership while requesting work does not start the import", async () => {
  const importing = importService({ home, host, log: () => undefined });
  const { import_id: id } = await call("createImport", { name: "empty.ics", size: 0 });
  await call("startImport", { id });
  importing.begin({ home: true, term: await elect() });
  const { paused, resume } = pauseAt("importTasks");
  await importing.news();
  await paused;
  await elect();
  const resting = importing.rest();
  resume();
  await resting;
  expect(called).not.toContain("settleImport");
  expect(await call("import", { id })).toMatchObject({ status: "queued" });
});

test("T-05 a check of a watched folder stores nothing if another process became the leader during the check", async () => {
  const folder = join(home, "watched");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.ics"), CALENDAR);
  const scan = (): Promise<string> => Promise.reject(new Error("no disk"));
  const look = scheduledWork({ home, host, scan, collect: scan });
  const scheduling = scheduleService({ home, host, look, log: () => undefined });
  const { schedule_id: id } = await call("watchFolder", { folder, every_seconds: 3600 });
  await call("runSchedule", { id });
  const { paused, resume } = pauseAt("takeDueSchedules");
  scheduling.begin({ home: true, term: await elect() });
  await paused;
  await elect();
  resume();
  await scheduling.idle();
  expect(called).toContain("settleSchedule");
  expect(await call("connections", {})).toMatchObject({ data: [] });
  await scheduling.rest();
});

const CALENDAR = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "PRODID:-//example//EN",
  "BEGIN:VEVENT",
  "UID:one@example",
  "DTSTAMP:20260101T000000Z",
  "DTSTART:20260101T100000Z",
  "SUMMARY:Tea",
  "END:VEVENT",
  "END:VCALENDAR",
  "",
].join("\r\n");

test("T-05 a plan on one server does not touch files that another server of the home is reading", async () => {
  const objects = { kind: "folder", root: join(home, "shared") } as const;
  const servers = [1, 2].map(
    () => new ImportRunner({ home, objects, host, log: () => undefined, as: () => undefined }),
  );
  const text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n";
  const { import_id: id } = await call("createImport", { name: "empty.ics", size: text.length });
  const uploads = uploadsAt(home, objects);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  await uploads.append(`${id}.0`, bytes(), { offset: 0, size: text.length });
  // The path that the other server is given just before it reads.
  const path = await uploads.file(`${id}.0`);
  for (const server of servers) expect(await server.plan(id, {})).toMatchObject({ import_id: id });
  expect(readFileSync(path, "utf8")).toBe(text);
  for (const server of servers) await server.close();
});
