// Navigation: cd and inspect. Above the roots there is a top level that lists them, so `..` works from everywhere.
import { setTimeout as sleep } from "node:timers/promises";
import { PdppError } from "../../contract/errors.ts";
import { type CdResult, type InspectResult, SHELL_LIST_MAX, type ShellEntry } from "../../contract/file-shell.ts";
import { type FileIndex, type FileNode, type FileNodeDetail, NOT_READ } from "../../contract/files.ts";
import type { ConnectedRoot } from "./connected-roots.ts";
import type { FileAnswer, FileCall } from "./file-call.ts";
import { fittedEntries, shortBreadcrumb, shortPath, shortTarget } from "./fitting.ts";
import { type Links, links } from "./links.ts";
import type { SessionRow } from "./session-rows.ts";
import { openSession, TOP } from "./sessions.ts";
import { textRecordOf } from "./text-record.ts";

/** How many versions of a file are shown. Its link lists all of them. */
const VERSIONS_SHOWN = 5;
/** On most disks a first scan has read its root within this time. */
const BEGIN_MS = 2000;
const LOOK_MS = 50;

/** A resolved path: the root that contains it, and the index to use. */
interface PathInRoot {
  root: ConnectedRoot;
  index: FileIndex | undefined;
  /** An absolute path. */
  path: string;
  /** True if the session chose this index explicitly. */
  isPinned: boolean;
}

export interface CdQuery {
  path: string;
  limit?: number;
  cursor?: string;
  /** Use this index instead of the fullest. */
  indexId?: string;
  sessionId?: string;
}

export async function cd(call: FileCall, query: CdQuery): Promise<FileAnswer<CdResult>> {
  const { path, limit, cursor, sessionId } = query;
  const session = await openSession(call, sessionId);
  const place = await placeOf(call, session, path, query.indexId);
  const wanted = Math.max(1, Math.min(limit ?? session.page, SHELL_LIST_MAX));
  if (place === undefined) return top(call, session, wanted, cursor);
  const { root } = place;
  const urls = links(call.caller.origin);
  const index = place.index === undefined ? undefined : await begun(call, place.index);
  if (index === undefined || index.status === "empty") return untouched(call, session, { ...place, index }, urls);
  const { files } = call.lens;
  const node = await files.nodeAt(index.indexId, place.path);
  if (node.kind !== "dir" && node.targetId === undefined) throw noDirectory(node);
  const at = node.targetId ?? node.nodeId;
  const pinned = Number(place.isPinned);
  const there: SessionRow = { ...session, cwd: node.path, index_id: index.indexId, node_id: at, pinned };
  const job = await jobOf(call, index, urls);
  const answer = await fittedEntries<CdResult>(
    wanted,
    ({ entries }) => entries,
    async (count) => {
      const query = { limit: count, ...(cursor === undefined ? {} : { cursor }) };
      const { entries, total, nextCursor } = await files.children(index.indexId, at, query);
      return {
        ...sessionState(there),
        cwd: shortPath(there.cwd),
        breadcrumb: shortBreadcrumb(node.breadcrumb),
        entries: entries.map(entryOf),
        ...(entries.length === 0 ? {} : { entryLink: `${urls.index(index.indexId)}/nodes/{nodeId}` }),
        total,
        ...(nextCursor === undefined ? {} : { nextCursor, nextPageUrl: urls.tree(index.indexId, at, nextCursor) }),
        ...job,
        ...(node.state === undefined ? {} : { hint: unreadHint(call, root, node.state) }),
      };
    },
  );
  await move(call, there);
  return { connectionId: root.connectionId, records: answer.entries.length, answer };
}

function unreadHint(call: FileCall, root: ConnectedRoot, state: keyof typeof NOT_READ): string {
  const isShallow = state === "too_deep" && call.may(root, "index");
  return `It is ${NOT_READ[state]}.${isShallow ? ` index(${JSON.stringify({ root: root.path })}) scans all levels.` : ""}`;
}

/** Waits briefly, so that a caller that reads an index right after its scan has started sees the first results. */
async function begun({ lens: { files } }: FileCall, known: FileIndex): Promise<FileIndex> {
  let index = known;
  const until = performance.now() + BEGIN_MS;
  while (index.status === "empty" && index.jobId !== undefined && performance.now() < until) {
    await sleep(LOOK_MS);
    index = await files.indexInfo(index.indexId);
  }
  return index;
}

/** Describes the running scan, if there is one. */
async function jobOf({ lens }: FileCall, { jobId }: FileIndex, urls: Links): Promise<Pick<CdResult, "job">> {
  if (jobId === undefined) return {};
  const { status } = await lens.files.job(jobId);
  return { job: { jobId, status, statusUrl: urls.job(jobId) } };
}

export async function inspect(
  call: FileCall,
  { nodeId, path, sessionId }: { nodeId?: string; path?: string; sessionId?: string },
): Promise<FileAnswer<InspectResult>> {
  if ((nodeId === undefined) === (path === undefined)) {
    throw new PdppError("invalid_request", "pass either nodeId or path", {
      param: "nodeId",
      next_step: 'Call inspect({"nodeId":"n1-42"}) with a nodeId from a listing, or inspect({"path":"name"}).',
    });
  }
  const { node, root, index } =
    nodeId === undefined ? await byPath(call, path!, sessionId) : await byNode(call, nodeId);
  const { files } = call.lens;
  const urls = links(call.caller.origin);
  const target = node.kind === "link" ? await files.readLink(index.indexId, node.nodeId) : undefined;
  const past = await files.past(index.indexId, node.nodeId);
  const isOpen = node.kind === "file" && call.may(root, "download");
  const digest = isOpen ? await files.digest(index.indexId, node.nodeId) : undefined;
  const text = isOpen ? await textRecordOf(call, root, node) : undefined;
  return {
    connectionId: root.connectionId,
    records: 1,
    answer: {
      nodeId: node.nodeId,
      path: shortPath(node.path),
      kind: node.kind,
      size: node.size,
      ...unreadFacts(node),
      modifiedAt: node.modifiedAt,
      permissions: node.permissions,
      ...(digest === undefined ? {} : { digest: `sha256:${digest}` }),
      ...(node.mimeType === undefined ? {} : { mimeType: node.mimeType }),
      ...(target === undefined
        ? {}
        : {
            symlink: {
              target: shortTarget(target),
              ...(node.targetId === undefined ? {} : { targetId: node.targetId }),
            },
          }),
      ...(node.problems === undefined ? {} : { problems: node.problems.slice(0, 3).map(shortTarget) }),
      ...(past.growth === undefined ? {} : { growth: past.growth }),
      ...(past.versions === undefined ? {} : { versions: past.versions.slice(0, VERSIONS_SHOWN) }),
      ...(text === undefined ? {} : { text }),
      link: urls.node(index.indexId, node.nodeId),
      urls: await nodeUrls(call, root, node),
    },
  };
}

/** Links for continuing from a node. A download link is included only if the caller may read contents. */
export async function nodeUrls(
  call: FileCall,
  root: ConnectedRoot,
  node: FileNodeDetail,
): Promise<InspectResult["urls"]> {
  const { indexId, nodeId, kind, targetId } = node;
  const urls = links(call.caller.origin);
  const directory = kind === "dir" ? nodeId : targetId;
  return {
    detail: urls.detail(indexId, nodeId),
    ...(kind === "file" && call.may(root, "download") ? await downloads(call, urls.download(indexId, nodeId)) : {}),
    ...(kind === "file" ? { history: urls.detail(indexId, nodeId) } : {}),
    ...(directory === undefined
      ? {}
      : {
          children: urls.tree(indexId, directory),
          history: urls.report(indexId, "growth", directory),
          largest: urls.report(indexId, "largest", directory),
          types: urls.report(indexId, "types", directory),
        }),
  };
}

/** Owners download with their session. For the user of an app the link is signed. */
async function downloads(call: FileCall, download: string): Promise<{ download: string; signedDownload?: string }> {
  if (call.bearer.kind === "owner") return { download };
  return { download, signedDownload: (await call.signed(download)).url };
}

/** The node's index determines the root, and whether the caller may open it. */
async function byNode(call: FileCall, nodeId: string) {
  const indexId = indexIdOf(nodeId);
  const { index, root } = await call.index(indexId);
  return { node: await call.lens.files.node(indexId, nodeId), index, root };
}

export function indexIdOf(nodeId: string): string {
  const [, no] = /^n([1-9]\d{0,8})-/.exec(nodeId) ?? [];
  if (no !== undefined) return `ix${no}`;
  throw new PdppError("node_not_found", `${JSON.stringify(nodeId.slice(0, 60))} is not a nodeId`, {
    param: "nodeId",
    next_step: "Take a nodeId from a listing; they look like n1-42 or n1-42.7.",
  });
}

async function byPath(call: FileCall, path: string, sessionId: string | undefined) {
  const place = await placeOf(call, await openSession(call, sessionId), path);
  if (place === undefined) {
    throw new PdppError("invalid_request", "there is nothing to inspect above the roots", {
      param: "path",
      next_step: 'Call cd({"path":"/"}) to see the roots.',
    });
  }
  const { root, index } = place;
  if (index === undefined || index.status === "empty") throw notIndexed(root);
  return { node: await call.lens.files.nodeAt(index.indexId, place.path), index, root };
}

function notIndexed({ path }: ConnectedRoot): PdppError {
  return new PdppError("not_found", `${path} has not been indexed yet`, {
    param: "path",
    next_step: `Call index(${JSON.stringify({ root: path })}) and continue while it runs.`,
  });
}

/** Returns undefined for the top level, above the roots. */
export async function placeOf(
  call: FileCall,
  session: SessionRow,
  path: string,
  indexId?: string,
): Promise<PathInRoot | undefined> {
  const full = resolve(session.cwd, path);
  const roots = await call.roots();
  const root = roots
    .filter((one) => full === one.path || full.startsWith(one.path === "/" ? "/" : `${one.path}/`))
    .sort((one, other) => other.path.length - one.path.length)[0];
  if (root === undefined) {
    // The parents of a root lead to the list of roots.
    if (full === TOP || roots.some((one) => one.path.startsWith(`${full}/`))) return undefined;
    throw new PdppError(
      "root_not_allowed",
      `${JSON.stringify(full.slice(0, 200))} is not in a root that you may read`,
      {
        param: "path",
        next_step:
          roots.length === 0
            ? "The owner approves a directory with `pdpp files roots add PATH`."
            : `Call cd(${JSON.stringify({ path: roots[0]!.path })}), or cd({"path":"/"}) to list all roots.`,
      },
    );
  }
  const wanted = indexId ?? (session.pinned === 1 ? session.index_id : null);
  const isPinned = wanted !== null && root.indexIds.includes(wanted);
  if (indexId !== undefined && !isPinned) {
    throw new PdppError("not_found", `${JSON.stringify(indexId.slice(0, 60))} is not an index of ${root.path}`, {
      param: "indexId",
      next_step: `Its indexes are ${root.indexIds.join(", ")}; omit indexId to use the fullest.`,
    });
  }
  const index = isPinned ? await call.lens.files.indexInfo(wanted) : await call.lens.indexOf(root);
  return { root, index, path: full, isPinned };
}

/** Resolves a path by names alone. Links were followed when the index was made, never here. */
function resolve(cwd: string, path: string): string {
  if (path.length > 65_536 || path.includes("\0"))
    throw new PdppError("invalid_request", "this is not a path", {
      param: "path",
      next_step: 'Call cd({"path":"/"}).',
    });
  const names: string[] = [];
  for (const name of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

/** Lists the roots as entries. */
async function top(call: FileCall, session: SessionRow, limit: number, cursor?: string): Promise<FileAnswer<CdResult>> {
  const roots = await call.roots();
  const urls = links(call.caller.origin);
  const from = cursor === undefined ? 0 : roots.findIndex(({ rootId }) => rootId === cursor);
  if (from === -1) throw new PdppError("invalid_cursor", "this cursor belongs to another list", { param: "cursor" });
  const here: SessionRow = { ...session, cwd: TOP, index_id: null, node_id: null, pinned: 0 };
  const answer = await fittedEntries<CdResult>(
    limit,
    ({ entries }) => entries,
    async (count) => {
      const next = roots[from + count];
      return {
        ...sessionState(here),
        breadcrumb: [],
        entries: await Promise.all(roots.slice(from, from + count).map((root) => rootEntry(call, root, urls))),
        total: roots.length,
        ...(next === undefined ? {} : { nextCursor: next.rootId, nextPageUrl: urls.roots(next.rootId) }),
      };
    },
  );
  await move(call, here);
  return { records: answer.entries.length, answer };
}

async function rootEntry({ lens }: FileCall, root: ConnectedRoot, urls: Links): Promise<ShellEntry> {
  const index = await lens.indexOf(root);
  const totals = index?.totals;
  return {
    nodeId: index?.rootNodeId ?? root.rootId,
    name: root.path,
    kind: "dir",
    size: totals?.size ?? 0,
    ...(totals === undefined ? {} : { counts: { files: totals.files, dirs: totals.dirs } }),
    ...(index?.status === "complete" && index.unread === undefined ? {} : { atLeast: true }),
    ...(totals === undefined ? { note: NOT_READ.unread } : {}),
    link:
      index === undefined
        ? urls.root(root.rootId)
        : totals === undefined
          ? urls.index(index.indexId)
          : urls.tree(index.indexId, index.rootNodeId),
  };
}

/** A root that has not been scanned yet. A session can enter it, and the response says how to start a scan. */
async function untouched(
  call: FileCall,
  session: SessionRow,
  { root, index, isPinned }: PathInRoot,
  urls: Links,
): Promise<FileAnswer<CdResult>> {
  const at = { index_id: index?.indexId ?? null, node_id: null, pinned: Number(isPinned) };
  const there: SessionRow = { ...session, cwd: root.path, ...at };
  const scan = index === undefined ? {} : await jobOf(call, index, urls);
  await move(call, there);
  return {
    connectionId: root.connectionId,
    answer: {
      ...sessionState(there),
      breadcrumb: [],
      entries: [],
      total: 0,
      ...scan,
      hint:
        "job" in scan
          ? `Its scan is ${scan.job!.status}; call cd(${JSON.stringify({ path: root.path })}) again once it has started.`
          : notIndexed(root).details.next_step!,
    },
  };
}

function noDirectory({ nodeId, path, kind }: FileNodeDetail): PdppError {
  return new PdppError("invalid_request", `${JSON.stringify(path.slice(0, 200))} is a ${kind}, not a directory`, {
    param: "path",
    next_step: `Call inspect(${JSON.stringify({ nodeId })}).`,
  });
}

async function move({ lens: { store, now } }: FileCall, to: SessionRow): Promise<void> {
  await store.putSession({ ...to, used_at: now() });
}

export const sessionState = ({ session_id, cwd, index_id }: SessionRow) => ({
  sessionId: session_id,
  cwd,
  ...(index_id === null ? {} : { indexId: index_id }),
});

/**
 * Twenty entries make up most of a response, so directories have no time here, and the link pattern is given only once.
 */
function entryOf(node: FileNode): ShellEntry {
  const { nodeId, name, kind, size, counts, modifiedAt, state } = node;
  return {
    nodeId,
    name,
    kind,
    size,
    ...(counts === undefined || state !== undefined ? {} : { counts: { files: counts.files, dirs: counts.dirs } }),
    ...(kind === "dir" ? {} : { modifiedAt: wholeSeconds(modifiedAt) }),
    ...unreadFacts(node),
  };
}

const wholeSeconds = (instant: string): string => instant.replace(/\.\d+Z$/, "Z");

const unreadFacts = ({ atLeast, state }: FileNode): Pick<ShellEntry, "atLeast" | "note"> => ({
  ...(atLeast === undefined ? {} : { atLeast }),
  ...(state === undefined ? {} : { note: NOT_READ[state] }),
});
