// /api/indexes/{indexId}/reports: the largest, oldest and newest files, types, ages, duplicates, unreadable files, and
// growth.
import type { FileEntry } from "../../contract/file-answers.ts";
import type { FileDuplicates, FileEntries, FileGrowth, FileProblems } from "../../contract/file-report-answers.ts";
import * as requests from "../../contract/file-requests.ts";
import type { AgeShare, FindQuery, TypeShare } from "../../contract/files.ts";
import { FILE_PAGE } from "../../contract/limits.ts";
import type { ConnectedRoot } from "../../files/shell/connected-roots.ts";
import type { FileAnswer, FileCall } from "../../files/shell/file-call.ts";
import { links } from "../../files/shell/links.ts";
import { entryOf, NODE_COLUMNS, ROWS_PAGE } from "./entries.ts";
import { explained } from "./explain.ts";
import { filterOf } from "./filter-text.ts";
import { foundPages } from "./find-routes.ts";
import { growth, growthRows } from "./growth.ts";
import type { REPORTS } from "./report-names.ts";
import { route } from "./route.ts";
import { allPages, onePage, type ReportColumns, type ReportRows, rowsOf } from "./rows.ts";

interface Under {
  indexId: string;
  under?: string;
  limit?: number;
  cursor?: string;
}

type Shares = Pick<Under, "indexId" | "under"> & { filter?: string };

const common = { method: "GET", action: "report", needs: "navigate" } as const;
const pathOf = (name: (typeof REPORTS)[number]): string => `/api/indexes/{indexId}/reports/${name}`;

export const reportRoutes = [
  route({
    ...common,
    path: pathOf("largest"),
    summary: "The largest files below a directory",
    call: "reportLargest",
    schema: requests.reportUnder,
    answer: (call, query) => largest(call, "file", query),
    rows: (call, query) => sortedRows(call, "largest", query, { filter: { kind: "file" }, order: "size" }),
    explain: (call, query) => explainLargest(call, "largest", query),
  }),
  route({
    ...common,
    path: pathOf("largest-dirs"),
    summary: "The largest directories by total size",
    call: "reportLargestDirs",
    schema: requests.reportUnder,
    answer: (call, query) => largest(call, "dir", query),
    rows: (call, query) => sortedRows(call, "largest-dirs", query, { filter: { kind: "dir" }, order: "size" }),
    explain: (call, query) => explainLargest(call, "largest-dirs", query),
  }),
  byTime("oldest", "Files that have not changed for the longest time", "reportOldest", false),
  byTime("newest", "The most recently changed files", "reportNewest", true),
  shares("types", "Files and bytes by type, most bytes first", "reportTypes", {
    type: ({ type }: TypeShare) => type,
    extensions: ({ extensions }: TypeShare) => extensions.join(" "),
  }),
  shares("ages", "Files and bytes by age", "reportAges", {
    label: ({ label }: AgeShare) => label,
    after: ({ after }: AgeShare) => after,
    before: ({ before }: AgeShare) => before,
  }),
  route({
    ...common,
    needs: "download",
    path: pathOf("duplicates"),
    summary: "Duplicate files, most wasted bytes first; POST …/digests finds them. Needs `download`",
    call: "reportDuplicates",
    schema: requests.reportUnder,
    answer: duplicates,
    rows: duplicateRows,
    explain: explainDuplicates,
  }),
  route({
    ...common,
    path: pathOf("growth"),
    summary: "Directories whose totals differ between two scans, greatest difference first",
    call: "reportGrowth",
    schema: requests.growthQuery,
    answer: (call, query): Promise<FileAnswer<FileGrowth>> => growth(call, query),
    rows: growthRows,
    explain: (call, { indexId, under: below }) =>
      explained(call, {
        indexId,
        explains: "reports/growth",
        reads: "history",
        under: below,
        steps: [
          "Each scan records the totals of a directory before it changes them.",
          "Only directories that changed between the two scans are read. The earlier totals of a directory are in its first record after the earlier scan.",
        ],
      }),
  }),
  route({
    ...common,
    path: pathOf("problems"),
    summary: "Places that could not be read, and why",
    call: "reportProblems",
    schema: requests.reportQuery,
    answer: problems,
    rows: problemRows,
    explain: (call, { indexId }) =>
      explained(call, {
        indexId,
        explains: "reports/problems",
        reads: "keys",
        steps: ["Problems are stored per directory; a page starts where the previous one ended."],
      }),
  }),
] as const;

/** Totals of files by a property, all in one response. */
function shares<Call extends string, Share extends TypeShare | AgeShare>(
  name: "types" | "ages",
  summary: string,
  call: Call,
  columns: ReportColumns<Share>,
) {
  const read = async (one: FileCall, { indexId, under: below, filter }: Shares) => {
    const asked = { under: below, ...filterOf(filter) };
    const { root } = await one.searchable(indexId, asked.filter);
    return { root, found: (await one.lens.files[name](indexId, asked)) as Share[] };
  };
  return route({
    ...common,
    path: pathOf(name),
    summary,
    call,
    schema: requests.shareQuery,
    async answer(one, query): Promise<FileAnswer<object>> {
      const { root, found } = await read(one, query);
      return { connectionId: root.connectionId, answer: { indexId: query.indexId, [name]: found } };
    },
    async rows(one, query) {
      const { root, found } = await read(one, query);
      const all = { ...columns, files: ({ files }: Share) => files, size: ({ size }: Share) => size };
      return rowsOf({ root, name: `${query.indexId}-${name}` }, all, onePage(found));
    },
    explain: (one, { indexId, under: below, filter }) =>
      explained(one, {
        indexId,
        explains: `reports/${name}`,
        reads: "columns",
        under: below,
        ...filterOf(filter),
        steps: [`Files that are still marked are added up by ${name === "types" ? "extension, then type" : "age"}.`],
      }),
  });
}

function byTime<Call extends string>(name: "oldest" | "newest", summary: string, call: Call, descending: boolean) {
  const sorted = { filter: { kind: "file" }, order: "time", descending } as const satisfies FindQuery;
  return route({
    ...common,
    path: pathOf(name),
    summary,
    call,
    schema: requests.reportUnder,
    async answer(one, { indexId, ...query }): Promise<FileAnswer<FileEntries>> {
      const { root } = await one.index(indexId);
      const asked = { ...query, ...sorted, limit: query.limit ?? FILE_PAGE.default };
      const { entries, nextCursor } = await one.lens.files.find(indexId, asked);
      return listed(one, root.connectionId, { indexId, entries, nextCursor });
    },
    rows: (one, query) => sortedRows(one, name, query, sorted),
    explain: (one, { indexId, under: below, limit = FILE_PAGE.default }) =>
      explained(one, {
        indexId,
        explains: `reports/${name}`,
        reads: "columns",
        under: below,
        ...sorted,
        steps: [`The first ${limit} become the entries.`],
      }),
  });
}

async function largest(
  call: FileCall,
  kind: "file" | "dir",
  { indexId, ...query }: Under,
): Promise<FileAnswer<FileEntries>> {
  const { root } = await call.index(indexId);
  const asked = { ...query, kind, limit: query.limit ?? FILE_PAGE.default };
  return listed(call, root.connectionId, await call.lens.files.largest(indexId, asked));
}

function listed(
  call: FileCall,
  connectionId: string,
  { indexId, entries, nextCursor }: Awaited<ReturnType<FileCall["lens"]["files"]["largest"]>>,
): FileAnswer<FileEntries> {
  const next = nextCursor === undefined ? {} : { nextCursor };
  const answer = { indexId, entries: entries.map(entryOf(call, indexId)), ...next };
  return { connectionId, records: entries.length, answer };
}

/** Returns all rows, because each page of a report would repeat the whole scan. */
async function sortedRows(
  call: FileCall,
  report: string,
  { indexId, under: below, limit }: Under,
  sorted: FindQuery,
): Promise<ReportRows> {
  const { root } = await call.index(indexId);
  const pages = await foundPages(call, indexId, { ...sorted, under: below });
  return rowsOf({ root, name: `${indexId}-${report}` }, NODE_COLUMNS, pages, limit);
}

const explainLargest = (call: FileCall, report: string, { indexId, under: below, limit = FILE_PAGE.default }: Under) =>
  explained(call, {
    indexId,
    explains: `reports/${report}`,
    reads: "keys",
    under: below,
    order: "size",
    descending: true,
    steps: [
      "Each directory stores the size of the largest file below it and the total size.",
      `From the top down, the most promising branch is opened first, until ${limit} are found that no closed branch can beat.`,
    ],
  });

async function openContents(call: FileCall, indexId: string): Promise<{ root: ConnectedRoot }> {
  const { root } = await call.index(indexId);
  await call.requireContents(root);
  return { root };
}

async function explainDuplicates(call: FileCall, { indexId, under: below }: Under) {
  await openContents(call, indexId);
  return explained(call, {
    indexId,
    explains: "reports/duplicates",
    reads: "digests",
    under: below,
    steps: [
      `Digests from POST /api/indexes/${indexId}/digests: first of the beginnings and ends of files of the same size, then of whole files whose beginnings and ends match.`,
      "A digest is used only while the file's size and time in the index are the same.",
      "Groups with the most wasted bytes come first.",
    ],
  });
}

async function duplicates(call: FileCall, { indexId, ...query }: Under): Promise<FileAnswer<FileDuplicates>> {
  const { root } = await openContents(call, indexId);
  const found = await call.lens.files.duplicates(indexId, { ...query, limit: query.limit ?? FILE_PAGE.default });
  const entry = entryOf(call, indexId);
  return {
    connectionId: root.connectionId,
    records: found.groups.reduce((sum, { files }) => sum + files.length, 0),
    answer: { ...found, groups: found.groups.map((group) => ({ ...group, files: group.files.map(entry) })) },
  };
}

async function duplicateRows(call: FileCall, { indexId, under: below, limit }: Under): Promise<ReportRows> {
  const { root } = await openContents(call, indexId);
  const entry = entryOf(call, indexId);
  const pages = allPages(
    (from) =>
      call.lens.files.duplicates(indexId, { limit: ROWS_PAGE, files: Number.MAX_SAFE_INTEGER, under: below, ...from }),
    ({ groups }) =>
      groups.flatMap(({ sha256, wasted, files }) => files.map((file) => ({ sha256, wasted, ...entry(file) }))),
  );
  const columns = {
    sha256: (one: FileEntry & { sha256: string }) => one.sha256,
    wasted: (one: FileEntry & { wasted: number }) => one.wasted,
    ...NODE_COLUMNS,
  };
  return rowsOf({ root, name: `${indexId}-duplicates` }, columns, pages, limit);
}

async function problems(call: FileCall, { indexId, ...query }: Under): Promise<FileAnswer<FileProblems>> {
  const { root } = await call.index(indexId);
  const found = await call.lens.files.problems(indexId, { ...query, limit: query.limit ?? FILE_PAGE.default });
  const urls = links(call.caller.origin);
  return {
    connectionId: root.connectionId,
    records: found.problems.length,
    answer: {
      ...found,
      problems: found.problems.map((one) => ({ ...one, link: urls.node(indexId, one.nodeId) })),
    },
  };
}

async function problemRows(call: FileCall, { indexId, limit }: Under): Promise<ReportRows> {
  const { root } = await call.index(indexId);
  const pages = allPages(
    (from) => call.lens.files.problems(indexId, { limit: ROWS_PAGE, ...from }),
    (page) => page.problems,
  );
  const columns = {
    nodeId: (one: FileProblem) => one.nodeId,
    path: (one: FileProblem) => one.path,
    text: (one: FileProblem) => one.text,
  };
  return rowsOf({ root, name: `${indexId}-problems` }, columns, pages, limit);
}

type FileProblem = Omit<FileProblems["problems"][number], "link">;
