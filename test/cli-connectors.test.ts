// P-05, P-09: pdpp connectors (add, run, answer, logs, test): alongside a server, without one, and over --server.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { hostileFolder, SECRET } from "./connectors/hostile-connector.ts";
import type { Loose } from "./harness.ts";
import { begin, ok, pdpp, printed, type Run, type RunOptions, serve } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-cli-connectors-"));
const home = join(folder, "home");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const said: string[] = [];
async function connectors(args: readonly string[], options?: RunOptions): Promise<Run> {
  const run = await pdpp(["connectors", ...args, "--home", home], options);
  said.push(run.stdout, run.stderr);
  return run;
}

async function added(mode: string, args: readonly string[] = [], options?: RunOptions): Promise<string> {
  const run = await ok(connectors(["add", hostileFolder(mode), "--name", mode, "--yes", "--json", ...args], options));
  return run.json.connection_id as string;
}

describe("P-09 pdpp connectors on a home without a server", () => {
  it("adds a connector from its folder after showing its permissions, and reads a secret from a file or standard input", async () => {
    const path = hostileFolder("good");
    const run = await ok(
      connectors(["add", path, "--set", "count=3", "--secret-file", "password=-", "--yes"], { input: `${SECRET}\n` }),
    );
    for (const words of [
      "Hostile 1.0.0",
      "collects: notes, tags",
      "will reach the network: mail.example.org",
      "may ask you",
    ])
      expect(run.stderr).toContain(words);
    expect(run.stdout).toMatch(/^cin_\S+ {2}Hostile\n$/);
    const next = printed(run, "Next");
    expect(next.slice(0, 2)).toEqual(["connectors", "run"]);
    const first = await ok(pdpp(next));
    expect(first.stdout).toMatch(
      /^job_\S+: succeeded, 3 records received\n {2}3 new, 0 changed, 0 unchanged, 0 deleted\n/,
    );
  });

  it("lists, shows, configures, reruns and removes a connector", async () => {
    const list = await ok(connectors([]));
    expect(list.stdout).toMatch(/Collected by connectors:[\s\S]*cin_\S+ {2}Hostile {2}hostile 1\.0\.0 {2}succeeded/);
    expect((await ok(connectors(["list", "--json"]))).json).toMatchObject({
      object: "list",
      setups: [{ connector_key: "hostile" }],
    });
    const shown = await ok(connectors(["show", "hostile"]));
    expect(shown.stdout).toMatch(/password +\(set\) +Password/);
    await ok(connectors(["set", "hostile", "--set", "count=5"]));
    const again = (await ok(connectors(["run", "hostile", "--full", "--json"]))).json;
    expect(again).toMatchObject({
      status: "succeeded",
      mode: "full_refresh",
      counts: { received: 5, created: 2, unchanged: 3 },
    });
    expect((await ok(connectors(["show", again.run_id]))).stdout).toContain("full refresh");
    const needed = await connectors(["remove", "hostile"]);
    expect([needed.code, needed.stderr]).toEqual([4, expect.stringContaining("--yes")]);
    await ok(connectors(["remove", "hostile", "--yes"]));
    expect((await connectors(["run", "hostile"])).code).toBe(5);
  });

  it("lists missing settings, and accepts no secret as an argument", async () => {
    const settings = [
      { name: "host", title: "Server", type: "string", required: true },
      { name: "password", title: "Password", type: "string", required: true, secret: true },
    ];
    const path = hostileFolder("good", { settings });
    const without = await connectors(["add", path, "--yes"]);
    expect([without.code, without.stderr]).toEqual([4, expect.stringContaining("--set host=VALUE")]);
    const secret = await connectors(["add", path, "--yes", "--set", "host=x", "--set", "password=geheim"]);
    expect([secret.code, secret.stderr]).toEqual([2, expect.stringContaining("--secret-file password=FILE")]);
    const asked = await connectors(["add", path, "--yes", "--set", "host=x"]);
    expect([asked.code, asked.stderr]).toEqual([4, expect.stringContaining("--secret-file password=FILE")]);
    const unsure = await connectors(["add", hostileFolder("good")]);
    expect([unsure.code, unsure.stderr]).toEqual([4, expect.stringContaining("--yes")]);
    const nowhere = await connectors(["add", "nowhere", "--yes"]);
    expect([nowhere.code, nowhere.stderr]).toEqual([5, expect.stringContaining("imap")]);
    const remote = await pdpp(["connectors", "add", path, "--server", "http://127.0.0.1:9", "--token", "x"]);
    expect([remote.code, remote.stderr]).toEqual([2, expect.stringContaining("on the home's machine")]);
    const unknown = await connectors(["ad"]);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("did you mean `pdpp connectors add`")]);
  });

  it("a failed run says why it failed and where its log is", async () => {
    const id = await added("prints-secret", ["--secret-file", "password=-"], { input: SECRET });
    const run = await connectors(["run", id]);
    expect([run.code, run.stdout]).toEqual([1, expect.stringContaining("wrong password [redacted]")]);
    const log = await ok(pdpp(printed(run, "Log")));
    said.push(log.stdout, log.stderr);
    expect(log.stdout).toContain("password=[redacted]");
    expect((await ok(connectors(["logs", id, "--json"]))).json).toMatchObject({
      object: "collect_log",
      truncated: false,
    });
    const partly = await connectors(["run", await added("lies-about-key")]);
    expect([partly.code, partly.stdout]).toEqual([
      7,
      expect.stringContaining("refused of notes, line 2: key and data.id differ"),
    ]);
  });

  it("without a terminal, a question is reported as refused", async () => {
    const run = (await connectors(["run", await added("otp"), "--json"])).json as Loose;
    expect(run.report.remarks).toEqual(["it asked for code, but no one was there to answer"]);
  });
});

describe("P-09 pdpp connectors alongside a server", () => {
  it("lets the server execute the run, and answers its questions and cancels it there", async () => {
    const server = await serve(home);
    try {
      const id = await added("otp");
      const running = begin(["connectors", "run", id, "--home", home]);
      while (!running.stderr().includes("Answer: ")) await sleep(50);
      expect((await connectors([])).stdout).toContain("needs an answer");
      const open = await connectors(["answer", id]);
      expect([open.code, open.stderr]).toEqual([4, expect.stringContaining("--set code=VALUE")]);
      await ok(connectors(["answer", id, "--set", "code=914-673"]));
      expect(await running.ended).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("succeeded, 1 record received"),
      });
      const nothing = await connectors(["answer", id, "--set", "code=1"]);
      expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining("is not waiting for an answer")]);

      const secret = await added("signs-in");
      const signing = begin(["connectors", "run", secret, "--home", home]);
      while (!signing.stderr().includes("Answer: ")) await sleep(50);
      const words = await connectors(["answer", secret, "--set", "password=x"]);
      expect([words.code, words.stderr]).toEqual([2, expect.stringContaining("--secret-file")]);
      await ok(connectors(["answer", secret, "--secret-file", "password=-", "--remember"], { input: SECRET }));
      expect((await signing.ended).code).toBe(0);
      expect((await ok(connectors(["show", secret]))).stdout).toMatch(/password +\(set\)/);

      const endless = await added("never-finishes");
      const going = begin(["connectors", "run", endless, "--home", home, "--json"]);
      for (;;) {
        const { last_run } = (await ok(connectors(["show", endless, "--json"]))).json;
        if (last_run?.status === "running") break;
      }
      const twice = await connectors(["run", endless]);
      expect([twice.code, twice.stderr]).toEqual([6, expect.stringContaining("is already in progress")]);
      await ok(connectors(["cancel", endless]));
      expect(await going.ended).toMatchObject({ code: 1, json: { status: "cancelled" } });

      const token = (await ok(pdpp(["owner", "token", "--json", "--home", home]))).json.access_token as string;
      const far = ["--server", server.url, "--token", token];
      const over = await ok(pdpp(["connectors", "run", secret, ...far, "--json"]));
      expect(over.json).toMatchObject({ status: "succeeded", connection_id: secret });
      expect((await ok(pdpp(["connectors", "logs", secret, ...far]))).stdout).toContain("signed in: success");
      expect(server.output()).not.toMatch(/hunter2|914-673/);
    } finally {
      await server.stop();
    }
  });
});

describe("P-05 pdpp connectors test", () => {
  it("passes a connector that follows the rules", async () => {
    const secret = join(folder, "secret.txt");
    writeFileSync(secret, SECRET);
    const run = await connectors(["test", hostileFolder("good"), "--secret-file", `password=${secret}`]);
    expect([run.code, run.stdout]).toEqual([0, run.stdout]);
    expect(run.stdout).not.toMatch(/^(fail|skip)/m);
    expect(run.stdout).toMatch(/^pass {2}keys stay the same/m);
  });

  it("reports the mistakes of a connector and fails", async () => {
    const run = await connectors(["test", hostileFolder("lies-about-count"), "--json"]);
    expect([run.code, run.json.passed]).toEqual([1, false]);
    expect(run.json.checks.filter((one: Loose) => one.status === "fail").map((one: Loose) => one.name)).toEqual([
      "a full refresh succeeds",
      "DONE is last and counts correctly",
    ]);
  });
});

it("SECURITY row 20: no command prints a secret", () => {
  for (const text of said) expect(text).not.toMatch(/hunter2/);
});
