// The files lens for the owner's pages. The owner sees everything, including the selections of apps.
import { PdppError } from "../../contract/errors.ts";
import type { FileIndex, FileJob } from "../../contract/files.ts";
import type { OwnerFileLens, OwnerRoot, OwnerSavedQuery, OwnerSet } from "../../contract/owner-file-lens.ts";
import { formatInstant } from "../../core/instant.ts";
import type { GatheredTotals } from "../read/gathered.ts";
import { recognitionWords } from "../sync/text/recognition.ts";
import type { ConnectedRoot } from "./connected-roots.ts";
import { type FileAnswer, FileCall, type FileCaller } from "./file-call.ts";
import { filterSummary } from "./filter-words.ts";
import type { FilesLens } from "./lens.ts";
import { queryRun } from "./queries.ts";
import type { QueryRow } from "./query-rows.ts";
import type { SetRow } from "./selection-rows.ts";
import { cardTotals } from "./selections.ts";
import { pageOfSet } from "./set-entries.ts";

/** How many selections and queries per index a page lists. */
const LISTED = 200;
const ENTRIES = 50;
const LATEST: readonly FileJob["kind"][] = ["index", "digest", "records"];

export function ownerLensFor(lens: FilesLens, caller: FileCaller): OwnerFileLens {
  const { files, store, selections } = lens;
  const act = <T extends object>(action: string, work: (call: FileCall) => Promise<FileAnswer<T>>): Promise<T> => {
    const call = new FileCall(lens, caller, action);
    return call.run("owner", () => work(call));
  };
  const connectionOf = async (indexId: string): Promise<string> => (await rootOf(indexId)).connectionId;

  async function rootOf(indexId: string): Promise<ConnectedRoot> {
    const root = (await lens.roots()).find(({ indexIds }) => indexIds.includes(indexId));
    if (root !== undefined) return root;
    throw new PdppError("not_found", `there is no index ${JSON.stringify(indexId.slice(0, 60))}`, {
      next_step: "Open “Files” to see your folders.",
    });
  }

  async function ownerRoot(root: ConnectedRoot, jobs: readonly FileJob[], index?: FileIndex): Promise<OwnerRoot> {
    const own = jobs.filter(({ indexId }) => root.indexIds.includes(indexId));
    const latest = LATEST.flatMap((kind) => own.find((job) => job.kind === kind) ?? []);
    const found = index ?? (await lens.indexOf(root));
    return {
      ...root,
      recognition: recognitionWords(),
      ...(found === undefined ? {} : { index: found }),
      jobs: Object.fromEntries(latest.map((job) => [job.kind, job])),
    };
  }

  async function setCard(set: SetRow): Promise<OwnerSet> {
    return cardWith(set, (await selections.look(set)).totals);
  }

  async function requireSet(selectionId: string): Promise<SetRow> {
    const set = await store.set(selectionId);
    if (set !== undefined) return set;
    throw new PdppError("not_found", `there is no selection ${JSON.stringify(selectionId.slice(0, 60))}`, {
      next_step: "Open “Selections” to see your selections.",
    });
  }

  async function requireQuery(queryId: string): Promise<QueryRow> {
    const query = await store.query(queryId);
    if (query !== undefined) return query;
    throw new PdppError("not_found", `there is no saved search ${JSON.stringify(queryId.slice(0, 60))}`);
  }

  return {
    async roots() {
      const jobs = await files.jobs();
      return Promise.all((await lens.roots()).map((root) => ownerRoot(root, jobs)));
    },
    async root(rootId) {
      const root = (await lens.roots()).find((one) => one.rootId === rootId);
      if (root !== undefined) return ownerRoot(root, await files.jobs());
      throw new PdppError("not_found", `there is no folder ${JSON.stringify(rootId.slice(0, 60))}`, {
        next_step: "Open “Files” to see your folders.",
      });
    },
    async place(indexId) {
      const root = await rootOf(indexId);
      const index = await files.indexInfo(indexId);
      return { ...(await ownerRoot(root, await files.jobs(), index)), index };
    },
    node: files.node,
    digest: files.digest,
    children: files.children,
    find: files.find,
    largest: files.largest,
    types: files.types,
    ages: files.ages,
    duplicates: files.duplicates,
    scans: files.scans,
    growth: files.growth,
    async sets(indexId) {
      return Promise.all((await store.setsOf(indexId, LISTED)).map(setCard));
    },
    async entries(selectionId, { limit = ENTRIES, cursor }) {
      const set = await requireSet(selectionId);
      const { totals, members, after } = await pageOfSet(lens, set, { limit, cursor });
      return { set: cardWith(set, totals), entries: members, ...after(members.length) };
    },
    async queries(indexId) {
      return (await store.queriesOf(indexId, LISTED)).map(queryCard);
    },

    addRoot: ({ path, text }) =>
      act("add-root", async () => {
        const { rootId, connectionId } = await lens.addRoot({ path, ...(text ? { text } : {}) }, caller.credential);
        return { connectionId, answer: await files.index({ rootId }) };
      }),
    async setText(rootId, text) {
      await act("root-text", async () => {
        await lens.setText(rootId, text, caller.credential);
        return { answer: {} };
      });
    },
    async setCrossMounts(rootId, crossMounts) {
      await act("root-mounts", async () => {
        await lens.setCrossMounts(rootId, crossMounts, caller.credential);
        return { answer: {} };
      });
    },
    removeRoot: (rootId) =>
      act("remove-root", async () => {
        const { path, records } = await lens.removeRoot(rootId, caller.credential);
        return { answer: { path, records } };
      }),
    scan: (rootId) => act("index", async () => ({ answer: await files.index({ rootId }) })),
    rescan: (indexId, options) =>
      act("index", async () => ({
        connectionId: await connectionOf(indexId),
        answer: await files.rescan(indexId, options),
      })),
    async controlJob(jobId, verb) {
      await act(`job-${verb}`, async () => ({ answer: await files[`${verb}Job`](jobId) }));
    },
    findCopies: (indexId) =>
      act("digests", async () => ({
        connectionId: await connectionOf(indexId),
        answer: await files.startDigests(indexId),
      })),
    async syncRecords(rootId) {
      await act("records", async () => ({ answer: (await lens.syncRecords(rootId, caller.credential)) ?? {} }));
    },
    keep: (query) => act("query-run", (call) => queryRun(call, query)),
    async runQuery(queryId) {
      const { selectionId, report } = await act("query-run", (call) => queryRun(call, { queryId }));
      return { selectionId, matches: report.matches };
    },
    async deleteQuery(queryId) {
      await act("query-delete", async () => {
        await store.deleteQuery((await requireQuery(queryId)).query_id);
        return { answer: {} };
      });
    },
    async deleteSet(selectionId) {
      await act("resource-set-ops", async () => {
        await selections.remove((await requireSet(selectionId)).set_id);
        return { answer: {} };
      });
    },
  };
}

const cardWith = (set: SetRow, totals: GatheredTotals): OwnerSet => ({
  selectionId: set.set_id,
  name: set.name,
  indexId: set.index_id,
  ...cardTotals(totals),
  ...madeBy(set),
});

/** The owner has an empty client id. */
const madeBy = ({ client, created_at }: { client: string; created_at: number }) => ({
  ...(client === "" ? {} : { clientId: client }),
  createdAt: formatInstant(created_at),
});

function queryCard(query: QueryRow): OwnerSavedQuery {
  const { query_id, name, index_id, filter, set_id, executed_at } = query;
  return {
    queryId: query_id,
    name,
    indexId: index_id,
    filterSummary: filterSummary(JSON.parse(filter).filter),
    ...(set_id === null ? {} : { selectionId: set_id }),
    ...(executed_at === null ? {} : { lastExecutedAt: formatInstant(executed_at) }),
    ...madeBy(query),
  };
}
