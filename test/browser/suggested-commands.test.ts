// Runs the commands that pages suggest, unchanged, with another home as the default.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shellWords } from "../../src/surfaces/cli/shell-words.fixture.ts";
import { callTool } from "../mcp.ts";
import { pdpp } from "../pdpp.ts";
import { dashboardPages } from "./dashboard-pages.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";

let it: DashboardWorld;
/** An empty home, where a command that does not specify the right home finds nothing. */
let elsewhere: string;
/** Each snippet, with the page that shows it. */
const snippets = new Map<string, string>();

const SNIPPETS = `(html) =>
  [...new DOMParser().parseFromString(html, "text/html").querySelectorAll(".elsewhere pre")].map(({ textContent }) => textContent)`;

beforeAll(async () => {
  elsewhere = mkdtempSync(join(tmpdir(), "postern-elsewhere-"));
  it = await dashboardWorld({ disk: true });
  const { page } = await it.open("/dashboard");
  for (const [name, path] of Object.entries(await dashboardPages(it.server))) {
    // Reads the HTML as sent, because the browser does not need to render it.
    const html = await (await page.request.get(it.server.url + it.keyed(path))).text();
    for (const text of await page.evaluate<string[]>(`(${SNIPPETS})(${JSON.stringify(html)})`))
      snippets.set(text, name);
  }
});
afterAll(async () => {
  await it?.close();
  rmSync(elsewhere, { recursive: true, force: true });
});

const saying = (pattern: RegExp): [string, string][] => [...snippets].filter(([text]) => pattern.test(text));

test("P-06 every curl command on every page returns JSON", async () => {
  const found = saying(/^curl /);
  expect(found.length).toBeGreaterThan(15);
  for (const [text, page] of found) {
    const env = { ...process.env, PDPP_ACCESS_TOKEN: it.server.owner };
    const { stdout } = await promisify(execFile)("bash", ["-c", `${text} --silent --show-error --fail`], { env });
    expect(() => JSON.parse(stdout), `${page}: ${text}`).not.toThrow();
  }
});

test("P-06 every pdpp command on every page finds this home or this server without changes", async () => {
  const found = saying(/^pdpp /);
  expect(found.length).toBeGreaterThan(12);
  const env = { HOME: elsewhere, PDPP_ACCESS_TOKEN: it.server.owner };
  const failed: string[] = [];
  const next = found.values();
  const runner = async (): Promise<void> => {
    for (const [text, page] of next) {
      const [, ...words] = shellWords(text);
      // An undo command that asks for confirmation and gets "n" counts as working.
      const { code, stdout, stderr } = await pdpp(words, { env, cwd: elsewhere, input: "n\n" });
      const asked = words.includes("undo") && stderr.includes("--yes");
      if (!asked && (code !== 0 || stdout.trim() === "")) failed.push(`${page}: ${text}\n${stderr}`);
    }
  };
  await Promise.all([runner(), runner(), runner()]);
  expect(failed).toEqual([]);
});

test("P-06 every MCP call on every page works for an app that may read everything", async () => {
  const found = saying(/^\w+\(\{/);
  expect(found.length).toBeGreaterThan(4);
  const { access_token } = await it.server.grant({ all: true });
  for (const [text, page] of found) {
    const [, tool, args] = /^(\w+)\((.*)\)$/s.exec(text)!;
    const called = await callTool(it.server.url, access_token, tool!, JSON.parse(args!));
    expect([page, text, called.isError === true]).toEqual([page, text, false]);
  }
});
