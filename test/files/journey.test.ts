// Scripted agents walk through the files lens: one sees only the text of a result, and one sees only its structured
// data.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { MCP_HEADERS } from "../mcp.ts";
import { plantTree } from "./tree.ts";

let server: TestServer;

beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server?.close());

/** The part of a result that an agent sees, and how the agent finds values in it. */
interface Agent {
  sees(result: Loose): string;
  /** Returns the first handle with this prefix. */
  handle(shown: string, begins: RegExp): string;
  /** Returns a link by its name. */
  url(shown: string, name: string): string;
}

const AGENTS: Record<string, Agent> = {
  "content[]": {
    sees: (result) => result.content.map(({ text }: Loose) => text).join("\n"),
    handle: (shown, begins) => found(shown, new RegExp(`(?:^|[\\s[(":])(${begins.source}[\\w.-]*)`, "m")),
    url: (shown, name) => {
      const base = found(shown, /(https?:\/\/[^\s/]+?)(?:[:/\s]|$)(?!\d)/m);
      return base + found(shown, new RegExp(`${name}:? (?:https?://[^/]+)?(/[^\\s,]+)`));
    },
  },
  structuredContent: {
    sees: (result) => JSON.stringify(result.structuredContent),
    handle: (shown, begins) => found(shown, new RegExp(`"(${begins.source}[\\w.-]*)"`)),
    url: (shown, name) => found(shown, /"base":"([^"]+)"/) + found(shown, new RegExp(`"${name}":"(/[^"]+)"`)),
  },
};

function found(text: string, pattern: RegExp): string {
  const [, one] = pattern.exec(text) ?? [];
  expect(one, `${pattern} in ${text}`).toBeDefined();
  return one!;
}

describe("a walk by a scripted agent", () => {
  test.each(Object.keys(AGENTS))(
    "S-02 S-10 S-15 an agent that sees only %s can index, browse during the scan, find the largest files, select, refine, page over HTTP and compare scans",
    async (half) => {
      const agent = AGENTS[half]!;
      const tree = plantTree();
      try {
        await (await server.files()).addRoot({ path: tree });
        const { access_token: token } = await server.grant({ files: { roots: [tree] }, client_name: half });
        const headers = { ...MCP_HEADERS, Authorization: `Bearer ${token}` };
        let tokens = 0;
        let calls = 0;
        const call = async (name: string, args: object): Promise<string> => {
          const body = JSON.stringify({
            jsonrpc: "2.0",
            id: 1,
            method: "tools/call",
            params: { name, arguments: args },
          });
          const answer = (await (
            await fetch(`${server.url}/files/mcp`, { method: "POST", headers, body })
          ).json()) as Loose;
          expect(answer.result?.isError, JSON.stringify(answer)).not.toBe(true);
          const shown = agent.sees(answer.result);
          calls++;
          tokens += encode(shown).length;
          return shown;
        };
        const get = async (url: string): Promise<Loose> => {
          const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
          const text = await response.text();
          expect(response.status, `${url}: ${text}`).toBe(200);
          return JSON.parse(text);
        };
        const settled = async (jobId: string): Promise<string> => {
          for (;;) {
            const shown = await call("job-progress", { jobId });
            if (shown.includes("succeeded")) return shown;
            await sleep(100);
          }
        };

        expect(await call("cd", { path: "/" })).toContain(tree);
        const jobId = agent.handle(await call("index", { root: tree }), /job_/);
        expect(await call("cd", { path: tree })).toContain(tree);
        const done = await settled(jobId);

        const largest = await get(agent.url(done, "largest"));
        expect(largest.entries[0].size).toBe(Math.max(...largest.entries.map(({ size }: Loose) => size)));
        expect(await call("inspect", { nodeId: largest.entries[0].nodeId })).toContain("IMG_0024.jpg");

        await call("cd", { path: `${tree}/photos` });
        const ran = await call("query-run", {
          filter: { and: [{ name: "*.jpg" }, { modified: { after: "2019-01-01" } }] },
        });
        const selectionId = agent.handle(ran, /sel_/);
        const dropped = agent.handle(ran, /n\d+-\d+\./);
        const set = await call("resource-set-ops", { op: "remove", selectionId, nodeIds: [dropped] });
        const entriesUrl = agent.url(set, half === "content[]" ? "Entries" : "entriesUrl");
        const entries: Loose[] = [];
        for (let url: string | undefined = `${entriesUrl}?limit=10`; url !== undefined; ) {
          const page = await get(url);
          entries.push(...page.entries);
          url = page.nextPageUrl;
        }
        expect(entries).toHaveLength(24);
        expect(entries.map(({ nodeId }) => nodeId)).not.toContain(dropped);

        writeFileSync(join(tree, "letters", "grown.bin"), "g".repeat(12_345));
        const again = await settled(agent.handle(await call("index", { root: tree }), /job_/));
        const growth = await get(agent.url(again, "growth"));
        expect(growth.growth).toBe(12_345);
        // A few hundred tokens per step.
        expect(tokens / calls).toBeLessThan(600);
      } finally {
        rmSync(tree, { recursive: true, force: true });
      }
    },
  );
});
