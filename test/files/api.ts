// A server with two indexed trees, an app with every power in one of them, and helpers for requests to /api.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect } from "vitest";
import { type Answer, type Ask, type Loose, newHome, type TestServer, testServer } from "../harness.ts";
import { plantTree } from "./tree.ts";

export const BASE = "/api/indexes/ix1";
export const COPY = "twice ".repeat(2000);

export interface Api {
  home: string;
  server: TestServer;
  /** The tree of root1 and ix1. */
  tree: string;
  /** The tree of root2, which the app cannot see. */
  other: string;
  /** The token of an app that has every power in one root. */
  app: string;
  /** The token of an app that can only navigate. */
  looker: string;
  ok(method: string, path: string, ask?: Ask): Promise<Loose>;
  /** Requests as the app. */
  get(path: string, ask?: Ask): Promise<Loose>;
  /** Follows a link from a response. */
  follow(link: string, ask?: Ask): Promise<Loose>;
  refused(method: string, path: string, ask?: Ask): Promise<[status: number, code: string, next: string]>;
  ended(jobId: string): Promise<Loose>;
  rescan(): Promise<void>;
  /** Returns the entry with this name in a directory of the tree. */
  nodeNamed(name: string, directory?: string): Promise<Loose>;
  download(nodeId: string, ask?: Ask): Promise<Answer>;
}

export const csv = (text: string): Record<string, string>[] => parse(text, { columns: true });
export const names = (entries: Loose[]): string[] => entries.map(({ name }) => name);

/** One setup for all tests of a file, ready before the first test runs. */
export function apiWorld(): Api {
  const it = {} as Api;
  beforeAll(async () => {
    it.home = newHome();
    it.server = await testServer({ home: it.home });
    it.tree = plantTree();
    it.other = plantTree();
    const letter = (name: string, text: string): void => writeFileSync(join(it.tree, "letters", name), text);
    letter("=HYPERLINK(1).txt", "formula");
    letter("greeting.md", `# Hello\n${"wörld ".repeat(2000)}`);
    letter("copy-1.dat", COPY);
    letter("copy-2.dat", COPY);
    letter("empty", "");
    for (const path of [it.tree, it.other]) await it.ok("POST", "/api/roots", { body: { path } });
    it.app = (await it.server.grant({ files: { roots: [it.tree] }, client_name: "Disk walker" })).access_token;
    it.looker = (await it.server.grant({ files: { roots: [it.tree], may: ["navigate"] } })).access_token;
    const started = await it.ok("POST", "/api/indexes", { token: it.app, body: { root: it.tree } });
    expect(started).toMatchObject({ indexId: "ix1", cwdHint: it.tree });
    await it.ended(started.jobId);
  });
  afterAll(async () => {
    await it.server?.close();
    for (const path of [it.home, it.tree, it.other]) rmSync(path, { recursive: true, force: true });
  });
  return Object.assign(it, {
    async ok(method: string, path: string, ask: Ask = {}): Promise<Loose> {
      const { status, body, text } = await it.server.call(method, path, ask);
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text} ${it.server.log.join("\n")}`);
      return body;
    },
    get: (path: string, ask: Ask = {}) => it.ok("GET", path, { token: it.app, ...ask }),
    follow: (link: string, ask?: Ask) => it.get(link.slice(it.server.url.length), ask),
    async refused(method: string, path: string, ask: Ask = {}): Promise<[number, string, string]> {
      const { status, body } = await it.server.call(method, path, { token: it.app, ...ask });
      if (status < 400) throw new Error(`${method} ${path} was not refused`);
      return [status, body.error.code, body.error.next_step];
    },
    ended: async (jobId: string): Promise<Loose> => (await it.server.files()).files.jobEnded(jobId),
    async rescan(): Promise<void> {
      await it.ended((await it.ok("POST", `${BASE}/scans`, { token: it.app, body: { verify: true } })).jobId);
    },
    async nodeNamed(name: string, directory = "letters"): Promise<Loose> {
      const top = (await it.get(`${BASE}/tree`)).entries.find((entry: Loose) => entry.name === directory);
      const { entries } = await it.get(`${BASE}/tree`, { query: { parent: top.nodeId, limit: 1000 } });
      return entries.find((entry: Loose) => entry.name === name);
    },
    download: (nodeId: string, ask: Ask = {}) =>
      it.server.call("GET", `${BASE}/nodes/${nodeId}/download`, { token: it.app, ...ask }),
  });
}
