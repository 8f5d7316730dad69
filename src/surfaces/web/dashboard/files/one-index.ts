// /dashboard/files/{indexId}: an indexed folder as a map, and all its reports. The address selects the view.
import { PdppError } from "../../../../contract/errors.ts";
import type { FileNodeDetail } from "../../../../contract/files.ts";
import type { OwnerFileLens } from "../../../../contract/owner-file-lens.ts";
import { cleanDisplayName } from "../../../../core/display-name.ts";
import { ownerPage, type Visit } from "../../owner-page.ts";
import { changed } from "../explore/addresses.ts";
import { FILES, indexAddress } from "./addresses.ts";
import { browsed } from "./browse.ts";
import type { IndexPanels, IndexView } from "./index-data.ts";
import { showIndex } from "./index-view.ts";
import { filterOf, type IndexState, stateOf, wantedIn } from "./state.ts";

const ROWS = 50;
const GROUPS = 25;

export const fileIndexPage = ownerPage<IndexView>({
  path: `${FILES}/{indexId}`,
  under: "files",
  async load(visit) {
    const { params, search, house } = visit;
    const indexId = params.indexId!;
    const ownerLens = await visit.files();
    const state = stateOf(search);
    const root = await ownerLens.place(indexId);
    const at = await ownerLens.node(indexId, state.at ?? root.index.rootNodeId);
    const { tab } = state;
    const notes = filterOf(state.wanted).notes;
    const loaded = await orFirstPage(state, (one) => shownOf(visit, ownerLens, indexId, at, one));
    const done = search.get("done");
    return {
      root,
      at,
      tab,
      state,
      ...loaded.shown,
      notes: [...notes, ...loaded.notes],
      ...(done === null ? {} : { done: done.slice(0, 40) }),
      home: house.home,
    };
  },
  show: showIndex,
  async post(visit, form) {
    const indexId = visit.params.indexId!;
    const ownerLens = await visit.files();
    const here = visit.search;
    here.delete("done");
    here.delete("cursor");
    const back = (changes: Record<string, string | null> = {}): string =>
      indexAddress(indexId, changed([...here], changes));
    const id = form.get("id") ?? "";
    switch (form.get("do")) {
      case "scan":
        await ownerLens.rescan(indexId, { verify: form.get("verify") === "yes" });
        return back();
      case "pause":
      case "resume":
      case "cancel":
        await ownerLens.controlJob(id, form.get("do") as "pause");
        return back();
      case "copies":
        await ownerLens.findCopies(indexId);
        return back({ tab: "copies" });
      case "keep":
        return keep(visit, ownerLens, form, back);
      case "run": {
        const { selectionId } = await ownerLens.runQuery(id);
        return back({ tab: "sets", set: selectionId, done: "ran" });
      }
      case "delete-query":
        await ownerLens.deleteQuery(id);
        return back({ tab: "find", done: "query-deleted" });
      case "delete-set":
        await ownerLens.deleteSet(id);
        return back({ tab: "sets", set: null, done: "set-deleted" });
    }
    throw new PdppError("invalid_request", "the form has no action", { param: "do" });
  },
});

async function keep(
  { params }: Visit,
  ownerLens: OwnerFileLens,
  form: URLSearchParams,
  back: (changes: Record<string, string | null>) => string,
): Promise<string> {
  const { filter } = filterOf(wantedIn(form));
  const name = (form.get("called") ?? "").trim();
  if (filter === undefined) throw new PdppError("invalid_request", "enter a search first", { param: "name" });
  if (name === "") throw new PdppError("invalid_request", "give the selection a name", { param: "called" });
  const under = form.get("under");
  const indexId = params.indexId!;
  const { selectionId } = await ownerLens.keep({ indexId, filter, name, ...(under ? { under } : {}) });
  return back({ tab: "sets", set: selectionId, done: "kept" });
}

/** If the cursor belongs to another view, shows the first page, with a note. */
async function orFirstPage(
  state: IndexState,
  load: (state: IndexState) => Promise<IndexPanels>,
): Promise<{ shown: IndexPanels; notes: string[] }> {
  try {
    return { shown: await load(state), notes: [] };
  } catch (error) {
    if (!(error instanceof PdppError) || error.code !== "invalid_cursor" || state.cursor === undefined) throw error;
    const { cursor: _cursor, ...rest } = state;
    return { shown: await load(rest), notes: ["That page belonged to a different view, so this is the first page."] };
  }
}

async function shownOf(
  visit: Visit,
  ownerLens: OwnerFileLens,
  indexId: string,
  at: FileNodeDetail,
  state: IndexState,
): Promise<IndexPanels> {
  const { tab, cursor, dirs, set, wanted } = state;
  const page = { limit: ROWS, ...(cursor === undefined ? {} : { cursor }) };
  const isFolder = at.kind === "dir";
  const under = isFolder ? { under: at.nodeId } : {};
  switch (tab) {
    case "browse": {
      if (isFolder) return { browse: await browsed(ownerLens, indexId, at, state) };
      const sha256 = at.kind === "file" ? await ownerLens.digest(indexId, at.nodeId) : undefined;
      return { file: sha256 === undefined ? {} : { sha256 } };
    }
    case "largest":
      return { largest: await ownerLens.largest(indexId, { ...page, ...under, kind: dirs ? "dir" : "file" }) };
    case "types":
      return { types: await ownerLens.types(indexId, under) };
    case "ages":
      return { ages: await ownerLens.ages(indexId, under) };
    case "growth":
      return { growth: await growthOf(ownerLens, indexId, under, state) };
    case "copies":
      return { copies: await ownerLens.duplicates(indexId, { ...page, limit: GROUPS }) };
    case "find": {
      const { filter } = filterOf(wanted);
      const [found, queries] = await Promise.all([
        filter === undefined ? undefined : ownerLens.find(indexId, { ...page, ...under, filter, order: "size" }),
        ownerLens.queries(indexId),
      ]);
      return { find: { ...(found === undefined ? {} : { found }), queries: await named(visit, queries) } };
    }
    case "sets": {
      const sets = await named(visit, await ownerLens.sets(indexId));
      return { sets: { sets, ...(set === undefined ? {} : { open: await ownerLens.entries(set, page) }) } };
    }
  }
}

async function growthOf(
  ownerLens: OwnerFileLens,
  indexId: string,
  under: { under?: string },
  { from, to }: IndexState,
): Promise<NonNullable<IndexPanels["growth"]>> {
  const scans = await ownerLens.scans(indexId);
  const known = (scan: number | undefined): number | undefined =>
    scans.some((one) => one.scan === scan) ? scan : undefined;
  const until = known(to) ?? scans[0]?.scan;
  const since = known(from) ?? scans.find(({ scan }) => scan < (until ?? 0))?.scan;
  if (since === undefined || until === undefined || since === until) return { scans };
  // The scans can be given in either order.
  const [first, last] = since < until ? [since, until] : [until, since];
  return { scans, growth: await ownerLens.growth(indexId, { ...under, from: first, to: last, limit: ROWS }) };
}

/** Adds the app's name to items that an app made. */
async function named<T extends { clientId?: string }>(
  { look }: Visit,
  made: readonly T[],
): Promise<(T & { app?: string })[]> {
  if (made.every(({ clientId }) => clientId === undefined)) return [...made];
  const { data } = await look("grants", {});
  const names = new Map(data.map(({ grant, words }) => [grant.client.client_id, cleanDisplayName(words.app)]));
  return made.map((one) =>
    one.clientId === undefined ? one : { ...one, app: names.get(one.clientId) ?? one.clientId },
  );
}
