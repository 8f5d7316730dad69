// P-09: pdpp schedules and pdpp connections: without a server, and alongside a server, which acts immediately.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { hostileFolder } from "./connectors/hostile-connector.ts";
import type { Loose } from "./harness.ts";
import { ok, pdpp, type Run, serve } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-cli-schedules-"));
const home = join(folder, "home");
const exports = join(folder, "exports");
mkdirSync(exports);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const schedules = (...args: string[]): Promise<Run> => pdpp(["schedules", ...args, "--home", home]);
const told = async (...args: string[]): Promise<Loose> => (await ok(schedules(...args, "--json"))).json;
const bookmarks =
  '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<DL><p>\n<DT><A HREF="https://example.org/">page</A>\n</DL><p>\n';

describe("P-09 pdpp schedules", () => {
  it("P-09 creates, shows, pauses, resumes and removes schedules, and reports if no server is running", async () => {
    expect((await ok(pdpp(["schedules", "--help"]))).stdout).toContain("pdpp schedules watch DIR --every 10m");
    const made = await ok(schedules("watch", exports, "--every", "10m"));
    expect(made.stdout).toMatch(/^sch_\S+ {2}\S+, every 10m\n {2}waiting, next at /);
    expect(made.stderr).toContain("pdpp serve");
    expect((await ok(schedules())).stdout).toMatch(
      /schedule +what +when +status +next +last\n[\s\S]*sch_\S+ .*every 10m/,
    );
    const { data } = await told("list");
    const id = data[0].schedule_id as string;
    expect(data).toMatchObject([{ object: "schedule", every_seconds: 600, target: { kind: "folder", path: exports } }]);
    expect(await told("pause", id)).toMatchObject({ status: "paused", next_run_at: null });
    expect(await told("resume", id)).toMatchObject({ status: "waiting" });
    expect(await told("show", id)).toMatchObject({ schedule_id: id, last_run: null });
    const cron = ["--cron", "0 6 * * *", "--zone", "Europe/Berlin"];
    expect(await told("watch", exports, ...cron)).toMatchObject({ schedule_id: id, time_zone: "Europe/Berlin" });
    expect(await told("remove", id)).toMatchObject({ deleted: true });
    for (const args of [
      ["set"],
      ["watch", exports],
      ["watch", "/nope", "--every", "10m"],
      ["watch", exports, "--every", "1s"],
      ["show", id],
      ["set", "cin_0"],
    ])
      expect((await schedules(...args)).code, args.join(" ")).not.toBe(0);
  });

  it("P-09 alongside a server, a new schedule or a manual run starts immediately, and pdpp connections shows the health of the connection", async () => {
    const server = await serve(home);
    writeFileSync(join(exports, "one.html"), bookmarks);
    const { schedule_id } = await told("watch", exports, "--every", "1d");
    const ended = async (id: string): Promise<Loose> => {
      for (;;) {
        const { last_run, status } = await told("show", id);
        if (last_run !== null && status !== "running") return last_run;
        await sleep(50);
      }
    };
    expect(await ended(schedule_id)).toMatchObject({ status: "succeeded", message: "1 record imported" });
    const add = ["connectors", "add", hostileFolder("fails"), "--name", "Ill", "--yes", "--json", "--home", home];
    const { connection_id } = (await ok(pdpp(add))).json as Loose;
    await told("set", connection_id, "--every", "1d");
    expect(await ended(connection_id)).toMatchObject({ status: "failed", message: "the server said no" });
    const list = await ok(pdpp(["connections", "--home", home]));
    expect(list.stdout).toContain("The last run failed: the server said no");
    expect(list.stdout).toContain(
      `${connection_id}: Fix that, then run it again: \`pdpp connectors run ${connection_id}\``,
    );
    const { data } = (await ok(pdpp(["connections", "--json", "--home", home]))).json as Loose;
    expect(data.find((row: Loose) => row.connection_id === connection_id)).toMatchObject({
      freshness: { status: "stale", next_check_at: expect.any(String) },
      health: { verdict: "failing" },
    });
    await server.stop();
  });
});
