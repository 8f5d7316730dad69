// The nine tools of the file shell (S-02), in the order in which they are used. The list is the same for every caller.

import { z } from "zod";
import type {
  FileShell,
  More,
  QueryCard,
  ResourceSetCard,
  ResourceSetOps,
  ResourceSetResult,
  SampleRow,
  ShellUnits,
} from "../../contract/file-shell.ts";
import type { DirGrowth, FileFilter, FileVersion } from "../../contract/files.ts";
import type { JsonObject } from "../../contract/record.ts";
import { counted } from "../../core/counted.ts";
import { parseArguments } from "../mcp/arguments.ts";
import { ToolError } from "../mcp/next-step.ts";
import { plainData } from "../mcp/plain.ts";
import { callText, type ToolDefinition, type ToolResult } from "../mcp/tool.ts";
import type { ShellContext, ShellTool } from "./tool.ts";
import { boundWords, bytesWords, entryLine, nameWords, sampleLine, type Units } from "./words.ts";

const TEXT = { type: "string" } as const;
const SESSION = { type: "string", description: 'leave out for your own; "new" starts another' } as const;
const NODES = { type: "array", items: TEXT, maxItems: 1000 } as const;
const text = (max = 4096) => z.string().min(1).max(max);
const handle = text(200);
const sessionId = handle.optional();
const cursor = text(8192).optional();
const nodeIds = z.array(handle).max(1000);

function tool<S extends z.ZodObject>(
  does: ShellTool["does"],
  definition: ToolDefinition,
  schema: S,
  run: (shell: FileShell, args: z.infer<S>, context: ShellContext) => Promise<ToolResult>,
): ShellTool {
  return {
    does,
    definition,
    run: (context, args) =>
      run(context.shell, parseArguments(definition.name, schema, args, { recordFilter: false }), context),
  };
}

const define = (
  name: string,
  title: string,
  description: string,
  properties: Record<string, object>,
  required: string[] = [],
): ToolDefinition => ({
  name,
  title,
  description,
  inputSchema: {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  },
});

const both = (structured: object, lines: readonly (string | undefined)[]): ToolResult => ({
  text: lines.filter((line) => line !== undefined).join("\n"),
  structured: plainData(structured),
});

function goOn(name: string, args: JsonObject, { nextCursor }: More): string | undefined {
  return nextCursor === undefined ? undefined : `More: ${callText(name, { ...args, cursor: nextCursor })}`;
}

const cd = tool(
  "reads",
  define(
    "cd",
    "Change directory and list it",
    'Go to a directory and list it, names first, at most 20 entries. "/" lists the approved roots; relative paths start at cwd. Directories show totals of all below them.',
    {
      path: TEXT,
      limit: { type: "integer", minimum: 1, maximum: 20 },
      cursor: TEXT,
      indexId: { type: "string", description: "another index of the root; default: the fullest" },
      sessionId: SESSION,
    },
    ["path"],
  ),
  z.strictObject({
    path: text(65_536),
    limit: z.int().min(1).max(20).optional(),
    cursor,
    indexId: handle.optional(),
    sessionId,
  }),
  async (shell, args) => {
    const found = await shell.cd(args);
    const { base, cwd, indexId, sessionId: session, entries, total, entryLink, job, hint, units } = found;
    return both(found, [
      `${nameWords(cwd)}: ${entries.length} of ${counted(total, "entry", "entries")}; index ${indexId ?? "none"}${args.sessionId === undefined ? "" : `, session ${session}`}`,
      ...entries.map((entry) => entryLine(entry, units)),
      entryLink === undefined ? undefined : `Link of each: ${base}${entryLink}`,
      job === undefined
        ? undefined
        : `A scan is ${job.status}; more entries may follow: ${callText("job-progress", { jobId: job.jobId })}`,
      hint,
      goOn(
        "cd",
        {
          path: ".",
          ...(args.limit === undefined ? {} : { limit: args.limit }),
          ...(args.sessionId === undefined ? {} : { sessionId: session }),
        },
        found,
      ),
    ]);
  },
);

const index = tool(
  "makes",
  define(
    "index",
    "Scan a root",
    "Scan an approved root (names, sizes, times; never contents) as a job. Returns at once; cd works while it runs. Later scans read only directories that changed.",
    {
      root: TEXT,
      depthLimit: { type: "integer", minimum: 1 },
      followSymlinks: { type: "boolean" },
      verify: { type: "boolean", description: "also find files that were rewritten in place" },
      digests: { type: "boolean", description: "instead: compare contents of files of equal size, to find copies" },
    },
    ["root"],
  ),
  z.strictObject({
    root: text(65_536),
    depthLimit: z.int().min(1).max(10_000).optional(),
    followSymlinks: z.boolean().optional(),
    verify: z.boolean().optional(),
    digests: z.boolean().optional(),
  }),
  async (shell, args) => {
    const started = await shell.index(args);
    const { base, jobId, indexId, cwdHint, statusUrl, note } = started;
    return both(started, [
      `Job ${jobId} ${args.digests ? "compares the files of" : "scans into"} index ${indexId ?? "(soon)"}; GET ${base}${statusUrl} follows it (SSE, too).`,
      `Next: ${callText("job-progress", { jobId })}, or ${callText("cd", { path: cwdHint })} at once.`,
      note,
    ]);
  },
);

const jobProgress = tool(
  "reads",
  define("job-progress", "Progress of a job", "Status, percentage, end and counts of a scan.", { jobId: TEXT }, [
    "jobId",
  ]),
  z.strictObject({ jobId: handle }),
  async (shell, args) => {
    const job = await shell.jobProgress(args);
    const { status, progressPct, eta, indexId, report, error, statusUrl, links } = job;
    return both(job, [
      `${job.kind} ${job.jobId}: ${status}${progressPct === undefined ? "" : `, ${progressPct} %`}${eta === undefined ? "" : `, done about ${eta}`}; began ${job.startedAt}; index ${indexId ?? "none"}`,
      report === undefined
        ? undefined
        : `${report.files} files, ${report.dirs} dirs, ${bytesWords(report.size, job.units)}, ${report.problems} could not be read, ${Math.round(report.rate)} a second`,
      error === undefined ? undefined : `It failed: ${nameWords(error)}`,
      `Links, after ${job.base}: status ${statusUrl}${Object.entries(links)
        .map(([name, url]) => `, ${name} ${url}`)
        .join("")}`,
    ]);
  },
);

const inspect = tool(
  "reads",
  define(
    "inspect",
    "Look at one file or directory",
    "Facts of one node, by nodeId or by path in the current index. Contents are never inlined; urls has the download where the grant allows it.",
    { nodeId: TEXT, path: TEXT, sessionId: SESSION },
  ),
  z.strictObject({ nodeId: handle.optional(), path: text(65_536).optional(), sessionId }),
  async (shell, args) => {
    const node = await shell.inspect(args);
    const { urls, symlink, problems = [] } = node;
    return both(node, [
      `${node.kind} ${nameWords(node.path)} [${node.nodeId}]`,
      `${boundWords(node, node.units)}, modified ${node.modifiedAt}, ${node.permissions ?? "permissions unknown"}${node.mimeType === undefined ? "" : `, ${node.mimeType}`}`,
      node.digest,
      symlink === undefined
        ? undefined
        : `links to ${nameWords(symlink.target)}${symlink.targetId === undefined ? "" : ` [${symlink.targetId}]`}`,
      node.text === undefined
        ? undefined
        : `Its text is the record ${node.text.record}; fetch of the records lens reads it from ${node.text.window}`,
      node.growth === undefined ? undefined : growthWords(node.growth),
      ...versionLines(node.versions ?? []),
      ...problems.map((problem) => `problem: ${nameWords(problem)}`),
      `Links, after ${node.base}: ${node.link}${Object.entries(urls)
        .map(([name, url]) => `, ${name} ${url}`)
        .join("")}`,
    ]);
  },
);

const signed = (value: number): string => `${value < 0 ? "" : "+"}${value}`;

const growthWords = ({ since, size, files, dirs }: DirGrowth): string =>
  `Since the scan of ${since}: ${signed(size)} B, ${signed(files)} files, ${signed(dirs)} dirs`;

/** The lines above already show the current version. */
const versionLines = (versions: readonly FileVersion[]): string[] =>
  versions.length < 2
    ? []
    : [
        `Changed: found ${versions[0]!.foundAt ?? "by the last scan"}`,
        ...versions.slice(1).map(({ size, modifiedAt }) => `Before: ${size} B, modified ${modifiedAt}`),
      ];

const OPS = ["create", "list", "get", "delete", "add", "remove"] as const;
const COMBINE = ["union", "intersection", "difference"] as const;

const resourceSetOps = tool(
  "removes",
  define(
    "resource-set-ops",
    "Curate selections",
    "Named selections of nodes: create (of nodeIds, or combine two or more), list, get (largest first; cursor continues), add, remove, delete. Only the selection changes, never a file.",
    {
      op: { enum: OPS },
      selectionId: TEXT,
      queryId: { type: "string", description: "delete: a saved query" },
      nodeIds: NODES,
      name: TEXT,
      indexId: TEXT,
      combine: { enum: COMBINE },
      selectionIds: { type: "array", items: TEXT, maxItems: 20 },
      cursor: TEXT,
    },
    ["op"],
  ),
  z.strictObject({
    op: z.enum(OPS),
    selectionId: handle.optional(),
    queryId: handle.optional(),
    nodeIds: nodeIds.optional(),
    name: text(200).optional(),
    indexId: handle.optional(),
    combine: z.enum(COMBINE).optional(),
    selectionIds: z.array(handle).max(20).optional(),
    cursor,
  }),
  async (shell, args) => {
    const needs = args.op === "delete" && args.queryId !== undefined ? [] : NEEDED[args.op];
    for (const needed of needs) {
      if (args[needed] !== undefined) continue;
      const example = {
        op: args.op,
        ...Object.fromEntries(NEEDED[args.op].map((name) => [name, args[name] ?? EXAMPLE[name]])),
      };
      throw new ToolError("invalid_request", `${args.op} needs ${needed}`, {
        param: needed,
        next_step: `Call ${callText("resource-set-ops", example)}.`,
      });
    }
    if (args.op !== "delete" && args.queryId !== undefined) {
      throw new ToolError("invalid_request", "queryId is only for delete", {
        param: "queryId",
        next_step: `The selection of a query is in its result. Call ${callText("query-run", { queryId: args.queryId })}.`,
      });
    }
    if (args.op === "create" && (args.combine === undefined) !== (args.selectionIds === undefined)) {
      const example = {
        op: "create",
        name: args.name!,
        combine: args.combine ?? "union",
        selectionIds: ["sel_…", "sel_…"],
      };
      throw new ToolError("invalid_request", "combine and selectionIds go together", {
        param: args.combine === undefined ? "combine" : "selectionIds",
        next_step: `Call ${callText("resource-set-ops", example)}.`,
      });
    }
    const answer = await shell.resourceSetOps(args as ResourceSetOps);
    if ("deleted" in answer)
      return both(answer, [
        "queryId" in answer
          ? `The saved query ${answer.queryId} is deleted; the selection that it filled stays.`
          : `The selection ${answer.selectionId} is deleted; the files are unchanged.`,
      ]);
    if ("sets" in answer)
      return both(answer, [
        answer.sets.length === 0
          ? `No selections yet. ${callText("resource-set-ops", { op: "create", name: "NAME" })} makes one.`
          : `${answer.sets.length} selections`,
        ...answer.sets.map((set) => setLine(set, answer.units)),
        goOn(
          "resource-set-ops",
          { op: "list", ...(args.indexId === undefined ? {} : { indexId: args.indexId }) },
          answer,
        ),
      ]);
    return both(answer, setLines(answer));
  },
);

type Argument = "selectionId" | "nodeIds" | "name";
const NEEDED: Record<(typeof OPS)[number], readonly Argument[]> = {
  create: ["name"],
  list: [],
  get: ["selectionId"],
  delete: ["selectionId"],
  add: ["selectionId", "nodeIds"],
  remove: ["selectionId", "nodeIds"],
};
const EXAMPLE: Record<Argument, string | string[]> = { selectionId: "sel_…", nodeIds: ["n1-42.7"], name: "NAME" };

const setLine = ({ selectionId, name, indexId, counts, totalSize, missing }: ResourceSetCard, units: Units): string =>
  `${nameWords(name)} [${selectionId}] of ${indexId}: ${counted(counts.entries, "entry", "entries")} (${counted(counts.files, "file")}, ${counted(counts.dirs, "dir")}), ${bytesWords(totalSize, units)}${goneWords(missing)}`;

const goneWords = (missing: number | undefined): string =>
  missing === undefined ? "" : `; ${counted(missing, "member is", "members are")} gone from the disk`;

const setLines = (set: ResourceSetResult & ShellUnits): (string | undefined)[] => [
  setLine(set, set.units),
  ...sampleLines(set.sample, set.units),
  `Entries: ${set.base}${set.entriesUrl}`,
  goOn("resource-set-ops", { op: "get", selectionId: set.selectionId }, set),
];

const sampleLines = (sample: readonly SampleRow[], units: Units): string[] =>
  sample.length === 0 ? [] : [`The largest:`, ...sample.map((row) => sampleLine(row, units))];

const FILTER_HELP =
  'one of {"name":"*.pdf"}, {"path":"**/2019/**"}, {"kind":"file"}, {"type":"image/*"}, {"size":{"min":1000}}, {"modified":{"after":"2019-01-01","before":"2020-01-01"}}, {"depth":{"max":3}}, {"uid":0}, {"permission":{"any":"111"}}, {"duplicate":true}, combined by and, or (lists) and not';

const queryRun = tool(
  "makes",
  define(
    "query-run",
    "Find nodes and keep them",
    "Find nodes of the current index by a filter, or run a saved query again. Matches become a selection, for a day unless named; the answer shows the largest.",
    {
      queryId: TEXT,
      filter: { type: "object", description: FILTER_HELP },
      name: TEXT,
      under: { type: "string", description: "nodeId of a directory" },
      indexId: TEXT,
      save: { type: "boolean", description: "false: keep nothing" },
      cursor: { type: "string", description: "next page, with queryId, or with the same filter and save: false" },
      sessionId: SESSION,
    },
  ),
  z.strictObject({
    queryId: handle.optional(),
    filter: z.record(z.string(), z.unknown()).optional(),
    name: text(200).optional(),
    under: handle.optional(),
    indexId: handle.optional(),
    save: z.boolean().optional(),
    cursor,
    sessionId,
  }),
  async (shell, { queryId, filter, cursor: from, save = true, ...rest }) => {
    if ((queryId === undefined) === (filter === undefined)) {
      throw new ToolError("invalid_request", "give either queryId or filter", {
        param: "filter",
        next_step: `Call ${callText("query-run", { filter: { name: "*.pdf" } })}.`,
      });
    }
    if (!save && filter !== undefined) {
      const { name: _name, ...asked } = rest;
      const query = { filter: filter as FileFilter, ...asked };
      const looked = await shell.queryLook({ ...query, ...(from === undefined ? {} : { cursor: from }) });
      const { matches, totalSize, sample } = looked.report;
      return both(looked, [
        `${matches} match in ${looked.indexId}, ${bytesWords(totalSize, looked.units)}; nothing was kept`,
        looked.partial,
        looked.digests,
        ...sampleLines(sample, looked.units),
        goOn("query-run", { ...(query as JsonObject), save: false }, looked),
      ]);
    }
    if (from !== undefined && queryId === undefined) {
      throw new ToolError("invalid_request", "a cursor works only with the queryId that came with it", {
        param: "cursor",
        next_step: `Call ${callText("query-run", { queryId: "fq_…", cursor: from })}.`,
      });
    }
    const ran = await shell.queryRun(
      queryId === undefined
        ? { filter: filter as FileFilter, ...rest }
        : { queryId, ...(from === undefined ? {} : { cursor: from }) },
    );
    const { matches, totalSize, missing, sample } = ran.report;
    return both(ran, [
      `${matches} match, ${bytesWords(totalSize, ran.units)}${goneWords(missing)}; query ${ran.queryId}, selection ${ran.selectionId}`,
      ran.partial,
      ran.digests,
      ...sampleLines(sample, ran.units),
      goOn("query-run", { queryId: ran.queryId }, ran),
    ]);
  },
);

const cardLine = ({ queryId, name, filterSummary, lastExecutedAt }: QueryCard): string =>
  `${nameWords(name)} [${queryId}]: ${nameWords(filterSummary)}; ${lastExecutedAt === null ? "never run" : `run ${lastExecutedAt.slice(0, 10)}`}`;

const queryList = tool(
  "reads",
  define("query-list", "Saved queries", "Lists your saved queries.", { cursor: TEXT }),
  z.strictObject({ cursor }),
  async (shell, args) => {
    const found = await shell.queryList(args);
    return both(found, [
      found.queries.length === 0
        ? `No saved queries yet. ${callText("query-run", { filter: { name: "*.pdf" }, name: "NAME" })} makes one.`
        : `${found.queries.length} queries`,
      ...found.queries.map(cardLine),
      goOn("query-list", {}, found),
    ]);
  },
);

const queryGet = tool(
  "reads",
  define(
    "query-get",
    "One saved query",
    "One saved query; full: true adds its filter, else use HTTP.",
    { queryId: TEXT, full: { type: "boolean" } },
    ["queryId"],
  ),
  z.strictObject({ queryId: handle, full: z.boolean().optional() }),
  async (shell, args) => {
    const found = await shell.queryGet(args);
    return both(found, [
      cardLine(found),
      found.filter === undefined
        ? `Its filter${args.full ? ", too long for here" : ""}: GET ${found.base}${found.filterUrl}`
        : `filter: ${JSON.stringify(plainData(found.filter))}`,
    ]);
  },
);

const UNITS = ["bytes", "binary", "decimal"] as const;

const sessionPreferences = tool(
  "reads",
  define("session-preferences", "Units and page size", "Page length and units of sizes in this session.", {
    units: { enum: UNITS },
    limit: { type: "integer", minimum: 1, maximum: 20 },
    sessionId: SESSION,
  }),
  z.strictObject({ units: z.enum(UNITS).optional(), limit: z.int().min(1).max(20).optional(), sessionId }),
  async (shell, args) => {
    const held = await shell.sessionPreferences(args);
    return both(held, [`session ${held.sessionId}: ${held.limit} entries a list, sizes in ${held.units}`]);
  },
);

export const SHELL_TOOLS: readonly ShellTool[] = [
  cd,
  index,
  jobProgress,
  inspect,
  resourceSetOps,
  queryRun,
  queryList,
  queryGet,
  sessionPreferences,
];
