// SECURITY row 17: text from strangers, imported by every importer, stays text on every page that shows it, in a real
// browser.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { zipOf } from "../../src/collect/archive/archives.fixture.ts";
import { IMPORTERS } from "../../src/collect/importers/index.ts";
import { openParser } from "../../src/collect/parser.ts";
import { runImport } from "../../src/collect/run.ts";
import type { ImportJob } from "../../src/contract/import.ts";
import { OWNER_PAGES } from "../../src/surfaces/web/dashboard/pages.ts";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { HOME_OWNER, type Loose, type TestServer, testServer } from "../harness.ts";
import { ownerBrowser, setUp } from "../oauth/owner-browser.ts";
import { asDetails, ask, discover, register } from "../oauth/world.ts";
import { startBrowser, type TestBrowser, typeWithKey } from "./browser.ts";
import { attacks, flat, HOSTILE, LOOK, NAME, type Seen, WATCH_POLICY } from "./hostile/corpus.ts";
import { removeHostileDisks } from "./hostile/disk.ts";
import { EXPORTS } from "./hostile/exports.ts";
import { CONSENT, type HostileWorld, type Look, labelOf, PAGES, SHOW_NOTHING, type Stream } from "./hostile/pages.ts";

let server: TestServer;
let browser: TestBrowser;
let context: BrowserContext;
let world: HostileWorld;
/** The imported streams with their records, by importer. */
const brought = new Map<string, Stream[]>();
const OWNERS = new Set(OWNER_PAGES.map(({ path }) => path));

beforeAll(async () => {
  [server, browser] = await Promise.all([testServer(), startBrowser()]);
  await importAll();
  const owner = ownerBrowser(server.url);
  await setUp(owner, await newSetupLink(server.host, server.url));
  world = await hostileWorld();
  context = await browser.context();
  await context.addInitScript(WATCH_POLICY);
  await context.addCookies([...owner.cookies].map(([name, value]) => ({ name, value, url: server.url })));
  typeWithKey(context, server.url, owner.key!);
  tabs = await Promise.all(Array.from({ length: TABS }, newTab));
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  removeHostileDisks();
});

/** Creates an app with a hostile name that has a grant on one stream of each connection and can request more access. */
async function hostileWorld(): Promise<HostileWorld> {
  const as = await discover(server.url);
  const app = await register({ as }, { client_name: NAME });
  const grants = new Map<string, { token: string; grantId: string; clientId: string }>();
  for (const { connection, name } of [...brought.values()].flat()) {
    const { connection_id } = connection;
    if (grants.has(connection_id)) continue;
    const given = await server.grant({ client_name: NAME, selections: [{ connection_id, stream: name }] });
    const { grant } = (await server.get(`/v1/grants/${given.grant_id}`)).body;
    grants.set(connection_id, {
      token: given.access_token,
      grantId: given.grant_id,
      clientId: grant.client.client_id,
    });
  }
  return {
    server,
    authorize: async (details) => (await ask({ as }, app, asDetails(...details))).href,
    grant: (connectionId) => grants.get(connectionId)!,
  };
}

/** Imports all exports at once, as if the owner had dropped a folder of downloads. */
async function importAll(): Promise<void> {
  const given = Object.entries(EXPORTS).map(([name, { files, folder = `${NAME} ${name}` }]) => {
    const place = join(server.home, "given", folder);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      writeFileSync(join(place, path), content);
    }
    return place;
  });
  const answers = Object.assign({}, ...Object.values(EXPORTS).map((one) => one.answers ?? {}));
  const parser = openParser({ home: server.home, given });
  try {
    const { groups, left } = await parser.plan(answers);
    expect(left).toEqual([]);
    const jobs: ImportJob[] = [];
    for (const group of groups) {
      const named = EXPORTS[group.importer]!.accounts !== undefined ? {} : { as: `${NAME} ${group.importer}` };
      const job = await runImport({ host: server.host, credential: HOME_OWNER, parser, answers, ...named }, group);
      const { error, counts } = job.progress;
      expect([group.importer, job.status, error, counts.failed]).toEqual([group.importer, "succeeded", undefined, 0]);
      jobs.push(job);
    }
    for (const [connectionId, own] of Map.groupBy(jobs, ({ connection_id }) => connection_id)) {
      const { importer } = own[0]!;
      brought.set(importer, [...(brought.get(importer) ?? []), ...(await streamsOf(connectionId, own))]);
    }
  } finally {
    await parser.close();
  }
}

async function streamsOf(connection_id: string, jobs: readonly ImportJob[]): Promise<Stream[]> {
  const connections = await server.all("/v1/connections");
  const connection = connections.find((one) => one.connection_id === connection_id);
  const all = await server.all("/v1/streams", { query: { connection_id } });
  return Promise.all(
    all.map(async ({ name }) => ({
      connection,
      importIds: jobs.map(({ import_id }) => import_id),
      name,
      metadata: (await server.get(`/v1/streams/${name}`, { query: { connection_id } })).body,
      records: await server.all(`/v1/streams/${name}/records`, { query: { connection_id, limit: 100 } }),
    })),
  );
}

/** Tabs are opened once and reused, because a new tab per page would take longer than all pages together. */
const TABS = 2;
let tabs: Page[];
/** Suspicious events in the tabs; there must be none. */
let wrong: string[] = [];
async function newTab(): Promise<Page> {
  const page = await context.newPage();
  page.on("dialog", (dialog) => {
    wrong.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("popup", (popup) => wrong.push(`window ${popup.url()}`));
  page.on("download", (download) => wrong.push(`download ${download.url()}`));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== server.url) wrong.push(`request ${request.url()}`);
  });
  return page;
}

const OF_STREAM = /\{stream\}/;
/** The first stream of each shape: its kind, and the roles and types of its fields. */
const firstOfShape = new Map<string, Stream>();

function isFirstOfShape(stream: Stream): boolean {
  const { kind, schema } = stream.metadata;
  const fields = Object.values<Loose>(schema.properties).map((field) => JSON.stringify([field["x-role"], field.type]));
  const shape = [kind, ...new Set(fields.sort())].join(" ");
  const first = firstOfShape.get(shape) ?? stream;
  firstOfShape.set(shape, first);
  return first === stream;
}

/** The text of each page. Pages that list everything are opened once for all importers. */
const read = new Map<string, string>();

async function look(page: Page, { address, says }: Look): Promise<void> {
  const text = read.get(address) ?? (await opened(page, address));
  read.set(address, text);
  for (const said of says) {
    const options = [said].flat().map(flat);
    if (!options.some((option) => text.includes(option))) expect(text, address).toContain(options[0]);
  }
}

async function opened(page: Page, address: string): Promise<string> {
  const answer = await page.goto(new URL(address, server.url).href);
  const seen = (await page.evaluate(LOOK)) as Seen;
  expect([answer?.status(), new URL(page.url()).origin], address).toEqual([200, server.url]);
  expect([seen.hit, seen.violations, seen.handlers, seen.planted], address).toEqual([false, [], 0, 0]);
  return flat(seen.text);
}

describe("P-05 SECURITY row 17: stored content cannot attack its readers", () => {
  test("SECURITY row 17 every importer imports its hostile export", () => {
    expect(Object.keys(EXPORTS).sort()).toEqual(IMPORTERS.map(({ name }) => name).sort());
    expect([...brought.keys()].sort()).toEqual(Object.keys(EXPORTS).sort());
  });

  test("SECURITY row 17 every owner page is tested, or shows no stored content", () => {
    expect([...OWNERS].filter((path) => PAGES[path] === undefined && !SHOW_NOTHING.includes(path))).toEqual([]);
  });

  const shown = Object.keys(PAGES).filter((path) => path === CONSENT || OWNERS.has(path));
  /**
   * Returns every importer's record pages, and a rotating fifth of the other pages. `npm run soak -- suites` tests all
   * of them.
   */
  const shownFor = (importer: string): string[] => {
    const turn = Object.keys(EXPORTS).indexOf(importer);
    return shown.filter((path, at) => process.env.POSTERN_TEST_ALL || OF_STREAM.test(path) || (turn + at) % 5 === 0);
  };
  /** For record pages, returns one stream of each shape, because such pages depend on nothing else. */
  const streamsFor = (importer: string, path: string): Stream[] => {
    const streams = brought.get(importer)!;
    return process.env.POSTERN_TEST_ALL || !OF_STREAM.test(path) ? streams : streams.filter(isFirstOfShape);
  };
  describe.each(Object.entries(EXPORTS))("%s", (name, { whole: [wholeStream, field], accounts, tame }) => {
    test("SECURITY row 17 stores every hostile text unchanged", () => {
      const records = brought.get(name)!.flatMap((stream) => (stream.name === wholeStream ? stream.records : []));
      expect(records.map(({ data }) => String(data[field]).trim())).toEqual(expect.arrayContaining([...HOSTILE]));
    });

    test("SECURITY row 17 has an attack in every text field, in keys, and in the connection's name", () => {
      const hit = new Map<string, boolean>();
      for (const { name: stream, metadata, records } of brought.get(name)!) {
        for (const [own, schema] of Object.entries<Loose>(metadata.schema.properties)) {
          const holds = records.some(({ data }) => attacks(JSON.stringify(data[own] ?? "")));
          if (isText(schema)) hit.set(`${stream}.${own}`, (hit.get(`${stream}.${own}`) ?? false) || holds);
        }
      }
      expect([...hit].flatMap(([own, holds]) => (holds ? [] : [own])).sort()).toEqual([...tame].sort());
      const names = new Set(brought.get(name)!.map(labelOf));
      expect([...names].sort()).toEqual(accounts === undefined ? [`${NAME} ${name}`] : [...accounts].sort());
    });

    test.each(shownFor(name))("row 17 attacks on %s are shown as text", async (path) => {
      wrong = [];
      const streams = streamsFor(name, path);
      const looks = streams.length === 0 ? [] : await PAGES[path]!(streams, world);
      await Promise.all(
        tabs.map(async (tab) => {
          for (let next = looks.pop(); next !== undefined; next = looks.pop()) await look(tab, next);
        }),
      );
      expect(wrong).toEqual([]);
    });
  });

  test("SECURITY row 17 names of uploaded files are shown as text in the plan before the import", async () => {
    wrong = [];
    const items = ["tables", "whatsapp", "browser-history"].flatMap((name) =>
      Object.entries(EXPORTS[name]!.files).map(([path, content]) => ({
        name: `${NAME}/${name}/${path}`,
        content: Buffer.from(content as string),
      })),
    );
    const bytes = zipOf([...items, { name: `${NAME}.unknown`, content: NAME }]);
    const made = await server.call("POST", "/v1/imports", { body: { name: `${NAME}.zip`, size: bytes.length } });
    const headers = { Authorization: `Bearer ${server.owner}`, "Upload-Offset": "0" };
    const sent = await fetch(server.url + made.body.upload_url, { method: "PATCH", headers, body: bytes });
    expect(sent.status).toBe(204);
    await look(tabs[0]!, { address: `/dashboard/import/${made.body.import_id}`, says: [NAME] });
    expect(wrong).toEqual([]);
  });

  test("SECURITY row 17 HTML mail is stored as text, without its scripts and styles", () => {
    const records = brought.get("mail")!.flatMap((stream) => stream.records);
    for (const text of [HOSTILE[0], HOSTILE[8]]) {
      const { data } = records.find((one) => one.data.subject === text)!;
      expect(data.body.trim()).toMatch(/^Hello\s+Bye$/);
    }
  });

  test("SECURITY row 17 the hostile texts do harm if they are not escaped", async () => {
    const page = tabs[0]!;
    for (const index of [0, 1, 3, 4, 7]) {
      await page.goto("about:blank");
      await page.setContent(HOSTILE[index]!);
      await page.waitForFunction("'__hit' in window");
    }
  });

  test("SECURITY row 17 a CSV export has no cell that a spreadsheet would execute", async () => {
    const { connection, name } = brought.get("tables")!.find(({ records }) => records.length === HOSTILE.length)!;
    const { status, text } = await server.get("/v1/export", {
      query: { stream: name, connection_id: connection.connection_id, format: "csv" },
    });
    expect(status).toBe(200);
    for (const formula of HOSTILE.filter((one) => /^[=+\-@]/.test(one))) {
      expect(text).toContain(`'${formula.replaceAll('"', '""')}`);
    }
    expect(text).not.toMatch(/(?:^|,)"?[=+\-@]/m);
  });
});

/** Returns true if the field can contain free text. */
function isText({ type, enum: values, format }: Loose): boolean {
  const types = [type].flat();
  if (types.includes("array") || types.includes("object") || type === undefined) return true;
  return types.includes("string") && values === undefined && format === undefined;
}
