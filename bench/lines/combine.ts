// The p99 of a point read while selections in the files lens are combined, compared with the p99 when nothing else
// runs.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SELECTION } from "../../src/contract/limits.ts";
import { openShellStore } from "../../src/files/shell/shell-store.ts";
import type { Bench } from "../bench.ts";
import { benchFolder } from "../home.ts";
import { readsBeside } from "../point-reads.ts";
import { inMs } from "../report.ts";
import { issueToken, startPostern } from "../server.ts";

const SELECTIONS = 5;

const folder = benchFolder("combine");

export const combine: Bench = {
  name: "combine",
  async onHome(home, { sizes }) {
    // A point read costs the same at every size.
    if (home.name !== sizes[0]) return [];
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "file"), "one");
    const token = await issueToken(home.path, "owner");
    const server = await startPostern(home.path);
    const api = async (method: string, path: string, body?: object): Promise<Record<string, string>> => {
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
      const answer = await fetch(server.url + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Record<string, string>;
    };
    try {
      await api("POST", "/api/roots", { path: folder });
      const { indexId } = await api("POST", "/api/indexes", { root: folder });
      const selectionIds = fillSelections(home.path, indexId!);
      const combineOnce = async (): Promise<void> => {
        const body = { name: "all", combine: "intersection", selectionIds };
        const { selectionId } = await api("POST", "/api/resource-sets", body);
        await api("DELETE", `/api/resource-sets/${selectionId}`);
      };
      const [calm, loaded] = await readsBeside({
        home,
        server,
        async startWork() {
          let isOver = false;
          const combining = (async () => {
            while (!isOver) await combineOnce();
          })();
          return async () => {
            isOver = true;
            await combining;
          };
        },
      });
      return [
        {
          line: `p99 of a point read while ${SELECTIONS} selections of ${SELECTION.entries / 1000}k entries are combined`,
          size: home.name,
          ratio: loaded.p99 / calm.p99,
          budget: { atMost: 4 },
          ours: inMs(loaded.p99),
          yardstick: inMs(calm.p99),
          against: "the p99 on a quiet server",
        },
      ];
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Fills the owner's selections with the same nodes, so that combining them reads all of them. */
function fillSelections(home: string, indexId: string): string[] {
  const store = openShellStore(join(home, "files", "shell.db"));
  const now = Date.now();
  const entries = Array.from({ length: SELECTION.entries }, (_, at) => ({
    nodeId: `${indexId.replace("ix", "n")}-1.${at}`,
    kind: "file" as const,
    size: 1,
  }));
  const ids = Array.from({ length: SELECTIONS }, (_, at) => `sel_bench_${at}`);
  for (const set_id of ids) {
    store.putSet({
      set_id,
      client: "",
      name: set_id,
      index_id: indexId,
      created_at: now,
      updated_at: now,
      totals: null,
      expires_at: null,
    });
    store.addEntries(set_id, entries, now);
  }
  store.close();
  return ids;
}
