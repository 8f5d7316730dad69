// /dashboard/files/{indexId}: an indexed folder as a map, and all its reports. The address selects the view.
import { PdppError } from "../../../../contract/errors.ts";
import type { FileDesk } from "../../../../contract/file-desk.ts";
import type { FileNodeDetail } from "../../../../contract/files.ts";
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
    const desk = await visit.files();
    const state = stateOf(search);
    const root = await desk.place(indexId);
    const at = await desk.node(indexId, state.at ?? root.index.rootNodeId);
    const { tab } = state;
    const notes = filterOf(state.wanted).notes;
    const told = await orFirstPage(state, (one) => shownOf(visit, desk, indexId, at, one));
    const done = search.get("done");
    return {
      root,
      at,
      tab,
      state,
      ...told.shown,
      notes: [...notes, ...told.notes],
      ...(done === null ? {} : { done: done.slice(0, 40) }),
      home: house.home,
    };
  },
  show: showIndex,
  async post(visit, form) {
    const indexId = visit.params.indexId!;
    const desk = await visit.files();
    const here = visit.search;
    here.delete("done");
    here.delete("cursor");
    const back = (changes: Record<string, string | null> = {}): string =>
      indexAddress(indexId, changed([...here], changes));
    const id = form.get("id") ?? "";
    switch (form.get("do")) {
      case "scan":
        await desk.rescan(indexId, { verify: form.get("verify") === "yes" });
        return back();
      case "pause":
      case "resume":
      case "cancel":
        await desk.controlJob(id, form.get("do") as "pause");
        return back();
      case "copies":
        await desk.findCopies(indexId);
        return back({ tab: "copies" });
      case "keep":
        return keep(visit, desk, form, back);
      case "run": {
        const { selectionId } = await desk.runQuery(id);
        return back({ tab: "sets", set: selectionId, done: "ran" });
      }
      case "delete-query":
        await desk.deleteQuery(id);
        return back({ tab: "find", done: "query-deleted" });
      case "delete-set":
        await desk.deleteSet(id);
        return back({ tab: "sets", set: null, done: "set-deleted" });
    }
    throw new PdppError("invalid_request", "the form does not say what to do", { param: "do" });
  },
});

async function keep(
  { params }: Visit,
  desk: FileDesk,
  form: URLSearchParams,
  back: (changes: Record<string, string | null>) => string,
): Promise<string> {
  const { filter } = filterOf(wantedIn(form));
  const name = (form.get("called") ?? "").trim();
  if (filter === undefined) throw new PdppError("invalid_request", "enter a search first", { param: "name" });
  if (name === "") throw new PdppError("invalid_request", "give the selection a name", { param: "called" });
  const under = form.get("under");
  const indexId = params.indexId!;
  const { selectionId } = await desk.keep({ indexId, filter, name, ...(under ? { under } : {}) });
  return back({ tab: "sets", set: selectionId, done: "kept" });
}

/** A cursor of another view starts again from the first page, with a note. */
async function orFirstPage(
  state: IndexState,
  load: (state: IndexState) => Promise<IndexPanels>,
): Promise<{ shown: IndexPanels; notes: string[] }> {
  try {
    return { shown: await load(state), notes: [] };
  } catch (error) {
    if (!(error instanceof PdppError) || error.code !== "invalid_cursor" || state.cursor === undefined) throw error;
    const { cursor: _cursor, ...rest } = state;
    return { shown: await load(rest), notes: ["That page belongs to another view; this is the first page."] };
  }
}

async function shownOf(
  visit: Visit,
  desk: FileDesk,
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
      if (isFolder) return { browse: await browsed(desk, indexId, at, state) };
      const sha256 = at.kind === "file" ? await desk.digest(indexId, at.nodeId) : undefined;
      return { file: sha256 === undefined ? {} : { sha256 } };
    }
    case "largest":
      return { largest: await desk.largest(indexId, { ...page, ...under, kind: dirs ? "dir" : "file" }) };
    case "types":
      return { types: await desk.types(indexId, under) };
    case "ages":
      return { ages: await desk.ages(indexId, under) };
    case "growth":
      return { growth: await growthOf(desk, indexId, under, state) };
    case "copies":
      return { copies: await desk.duplicates(indexId, { ...page, limit: GROUPS }) };
    case "find": {
      const { filter } = filterOf(wanted);
      const [found, queries] = await Promise.all([
        filter === undefined ? undefined : desk.find(indexId, { ...page, ...under, filter, order: "size" }),
        desk.queries(indexId),
      ]);
      return { find: { ...(found === undefined ? {} : { found }), queries: await named(visit, queries) } };
    }
    case "sets": {
      const sets = await named(visit, await desk.sets(indexId));
      return { sets: { sets, ...(set === undefined ? {} : { open: await desk.entries(set, page) }) } };
    }
  }
}

async function growthOf(
  desk: FileDesk,
  indexId: string,
  under: { under?: string },
  { from, to }: IndexState,
): Promise<NonNullable<IndexPanels["growth"]>> {
  const scans = await desk.scans(indexId);
  const known = (scan: number | undefined): number | undefined =>
    scans.some((one) => one.scan === scan) ? scan : undefined;
  const until = known(to) ?? scans[0]?.scan;
  const since = known(from) ?? scans.find(({ scan }) => scan < (until ?? 0))?.scan;
  if (since === undefined || until === undefined || since === until) return { scans };
  // In either order.
  const [first, last] = since < until ? [since, until] : [until, since];
  return { scans, growth: await desk.growth(indexId, { ...under, from: first, to: last, limit: ROWS }) };
}

/** Items made by an app name the app. */
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
