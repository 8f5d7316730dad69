// The owner's account from the terminal: the link printed at the first start, a new link, and signing out.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { formWith, OWNER, ownerBrowser, setUp } from "./oauth/owner-browser.ts";
import { pdpp, type Run, type Serving, serve } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-owner-"));
const home = join(folder, "home");
const address = join(home, "address");
let server: Serving;

const owner = (...args: string[]): Promise<Run> => pdpp(["owner", ...args, "--home", home]);

async function said({ output }: Serving, pattern: RegExp): Promise<string> {
  for (;;) {
    const found = pattern.exec(output());
    if (found) return found[1]!;
    await pause(20);
  }
}

beforeAll(async () => {
  server = await serve(home);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it("the first start prints a setup link, and where to go next", async () => {
  const link = await said(server, /^Set up the owner: (\S+)$/m);
  expect(link).toMatch(new RegExp(`^${server.url}/setup\\?code=[\\w-]{32}$`));
  await said(server, /^(Connect a terminal: .*)$/m);
  expect(server.output()).toContain(`pdpp setup --url ${server.url}\n`);
  expect(server.output()).toContain(`pdpp connect ${server.url}\n`);
  expect([readFileSync(address, "utf8"), statSync(address).mode & 0o777]).toEqual([`${server.url}\n`, 0o600]);
  expect((await setUp(ownerBrowser(server.url), link)).status).toBeLessThan(400);
  const database = new DatabaseSync(join(home, "records.db"), { readOnly: true });
  expect(database.prepare("SELECT password FROM owner").get()!.password).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
  database.close();
});

it("owner reset creates a link alongside the running server; the link sets a new password and signs everyone out", async () => {
  const asked = await owner("reset");
  expect([asked.code, asked.stdout, asked.stderr]).toEqual([4, "", expect.stringContaining("owner reset --yes")]);
  const before = await owner("sessions", "--json");
  expect(before.json.data).toHaveLength(1);
  const run = await owner("reset", "--yes");
  expect([run.code, run.stdout]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^${server.url}/setup\\?code=\\S+\\n$`)),
  ]);
  const browser = ownerBrowser(server.url);
  const form = formWith(await browser.get(run.stdout.trim()), "password");
  const fields = form.fields.filter(([name]) => name !== "name" && name !== "password");
  const filled: [string, string][] = [...fields, ["name", "Nora"], ["password", "another battery staple"]];
  expect((await browser.post(form.action, filled)).status).toBeLessThan(400);
  expect((await browser.get(run.stdout.trim())).status).toBe(403);
  const after = await owner("sessions", "--json");
  expect(after.json.data).toHaveLength(1);
  expect(after.json.data[0].session_id).not.toBe(before.json.data[0].session_id);
  const elsewhere = ownerBrowser(server.url);
  const login = formWith(await elsewhere.get("/login"), "password");
  const old = login.fields.filter(([name]) => name !== "name" && name !== "password");
  const tried = await elsewhere.post(login.action, [...old, ["name", OWNER.name], ["password", OWNER.password]]);
  expect(tried.status).toBe(401);
});

it("owner sessions lists the browser's session, and owner sign-out takes effect at the browser's next request", async () => {
  const link = (await owner("reset", "--yes")).stdout.trim();
  const browser = ownerBrowser(server.url);
  await setUp(browser, link);
  const listed = await owner("sessions");
  const id = /ses_\S+/.exec(listed.stdout)![0];
  expect(listed.stderr).toContain("pdpp owner sign-out all");
  expect((await browser.get("/dashboard/apps")).status).toBe(200);
  const run = await owner("sign-out", id);
  expect([run.code, run.stdout]).toEqual([0, `Signed out: ${id}.\n`]);
  expect((await browser.get("/dashboard/apps")).status).toBe(401);
  expect((await owner("sign-out", "ses_none")).code).toBe(5);
  expect((await owner("sign-out", "all")).stdout).toBe("Nobody was signed in.\n");
});

it("owner reset works on the home, with or without a server, even after a server was killed", async () => {
  const remote = await pdpp(["owner", "reset", "--server", server.url, "--token", "t"]);
  expect([remote.code, remote.stderr]).toEqual([2, expect.stringContaining("only on a home")]);
  const other = join(folder, "other");
  const killed = await serve(other);
  const { url } = killed;
  expect(await killed.stop("SIGKILL")).toBe("SIGKILL");
  expect(readFileSync(join(other, "address"), "utf8")).toBe(`${url}\n`);
  const run = await pdpp(["owner", "reset", "--home", other]);
  expect([run.code, run.stdout]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:7887\/setup/)]);
  expect(run.stderr).toContain("No server is running on this home");
  writeFileSync(join(other, "address"), "http://127.0.0.1:1\n");
  const again = await serve(other);
  expect(readFileSync(join(other, "address"), "utf8")).toBe(`${again.url}\n`);
  await again.stop();
  expect(existsSync(join(other, "address"))).toBe(false);
});
