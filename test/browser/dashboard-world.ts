// The setup for dashboard tests: a server with the demo home, an owner signed in with a real browser, and apps that
// have read data.
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { shellFor } from "../../src/files/shell/shell.ts";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { demoHome } from "../demo-home.ts";
import { plantDisk } from "../files/disk.ts";
import { HOME_OWNER, type TestServer, testServer } from "../harness.ts";
import { startBrowser, type TestBrowser, typeWithKey, type View, type WatchedPage, watch } from "./browser.ts";

export interface DashboardWorld {
  server: TestServer;
  browser: TestBrowser;
  /** A signed-in browser context. */
  context(view?: View): Promise<BrowserContext>;
  /** The path with the browser's key, as the owner's browser requests it. */
  keyed(path: string): string;
  /** Opens a path while signed in and records errors. Uses a new context unless one is given. */
  open(path: string, view?: View, within?: BrowserContext): Promise<WatchedPage>;
  close(): Promise<void>;
}

export const OWNER = { name: "Nora Keane", password: "correct horse battery" };

/** With `empty`, the home has an owner and no data. With `disk`, Nora's files are indexed too. */
export async function dashboardWorld({ empty = false, disk: withDisk = false } = {}): Promise<DashboardWorld> {
  const [server, browser] = await Promise.all([
    empty ? testServer() : demoHome().then((lent) => testServer({ lent })),
    startBrowser(),
  ]);
  const disk = withDisk ? plantDisk() : undefined;
  if (!empty) await inhabit(server);
  if (disk !== undefined) await indexDisk(server, disk);
  const { cookies, key } = await signUp(browser, server);
  const context = async (view?: View): Promise<BrowserContext> => {
    const opened = await browser.context(view);
    await opened.addCookies(cookies);
    typeWithKey(opened, server.url, key);
    return opened;
  };
  return {
    server,
    browser,
    context,
    keyed: (path) => `/~${key}${path}`,
    async open(path, view, within) {
      const url = new URL(path, server.url).href;
      const watched = await watch(within ?? (await context(view)), url);
      await watched.page.goto(url);
      return watched;
    },
    async close() {
      await browser.close();
      await server.close();
      if (disk !== undefined) rmSync(dirname(disk), { recursive: true, force: true });
    },
  };
}

async function signUp(browser: TestBrowser, { host, url }: TestServer) {
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(await newSetupLink(host, url));
  await page.locator('input[name="name"]').fill(OWNER.name);
  await page.locator('input[name="password"]').fill(OWNER.password);
  await page.locator("main button.primary").click();
  await page.waitForURL(/\/dashboard$/);
  const cookies = await context.cookies(page.url());
  const key = /~([\w-]{22})/.exec(page.url())![1]!;
  await context.close();
  return { cookies, key };
}

/** Adds two apps that use Nora's data: one that reads, and one that was denied. */
async function inhabit(server: TestServer): Promise<void> {
  const connections = await server.all("/v1/connections");
  const of = (key: string): string => connections.find(({ connector_key }) => connector_key === key).connection_id;
  const { access_token: token } = await server.grant({ all: true, client_name: "Claude Code" });
  await server.get("/v1/schema", { token });
  await server.get("/v1/search", { token, query: { q: "lisbon" } });
  await server.get("/v1/streams/messages/records", { token, query: { connection_id: of("mail") } });
  const narrow = await server.grant({
    selections: [{ connection_id: of("mail"), stream: "messages" }],
    client_name: "Inbox summary",
    expires_in_seconds: 86_400 * 30,
  });
  await server.get("/v1/streams/transactions/records", {
    token: narrow.access_token,
    query: { connection_id: of("bank") },
  });
}

/** Scans the disk twice, with a new file in between, syncs its records, and saves a selection. */
async function indexDisk(server: TestServer, disk: string): Promise<void> {
  const lens = await server.files();
  const { rootId } = await lens.addRoot({ path: disk });
  const scanned = async (): Promise<string> =>
    (await lens.files.jobEnded((await lens.files.index({ rootId })).jobId)).indexId;
  const indexId = await scanned();
  writeFileSync(join(disk, "Downloads", "manual.pdf"), "x".repeat(2_500_000));
  await scanned();
  const shell = shellFor(lens, { credential: HOME_OWNER, requestId: "req_disk", origin: server.url });
  await shell.queryRun({ indexId, filter: { name: "*.pdf" }, name: "Everything as PDF" });
  await lens.files.jobEnded((await lens.syncRecords(rootId))!.jobId);
}
