// The nine tools of the file shell (S-02), in the order in which apps use them. The list is the same for every caller.

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

const text = (max = 4096) => z.string().min(1).max(max);
const handle = text(200);
const path = text(65_536);

/** An argument: how it is validated, and how it is described to the model. */
interface Argument<S extends z.ZodType> {
  check: S;
  shown: object;
}
const argument = <S extends z.ZodType>(check: S, shown: object = { type: "string" }): Argument<S> => ({ check, shown });

const ID = argument(handle.optional());
const NAME = argument(text(200).optional());
const CURSOR = argument(text(8192).optional());
const FLAG = argument(z.boolean().optional(), { type: "boolean" });
const LIMIT = argument(z.int().min(1).max(20).optional(), { type: "integer", minimum: 1, maximum: 20 });
const SESSION = argument(handle.optional(), {
  type: "string",
  description: 'omit for your own; "new" starts another',
});
const ids = (max: number) =>
  argument(z.array(handle).max(max).optional(), { type: "array", items: { type: "string" }, maxItems: max });

type Checks<A> = { [K in keyof A]: A[K] extends Argument<infer S> ? S : never };

function tool<A extends Record<string, Argument<z.ZodType>>>(
  does: ShellTool["does"],
  [name, title, description]: readonly [name: string, title: string, description: string],
  args: A,
  run: (shell: FileShell, args: z.infer<z.ZodObject<Checks<A>>>, context: ShellContext) => Promise<ToolResult>,
): ShellTool {
  const entries = Object.entries(args);
  const schema = z.strictObject(
    Object.fromEntries(entries.map(([key, { check }]) => [key, check])) as Checks<A>,
  ) as unknown as z.ZodObject<Checks<A>>;
  const required = entries.filter(([, { check }]) => !(check instanceof z.ZodOptional)).map(([key]) => key);
  const inputSchema: ToolDefinition["inputSchema"] = {
    type: "object",
    properties: Object.fromEntries(entries.map(([key, { shown }]) => [key, shown])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
  return {
    does,
    definition: { name, title, description, inputSchema },
    run: (context, given) => run(context.shell, parseArguments(name, schema, given, { recordFilter: false }), context),
  };
}

const both = (structured: object, lines: readonly (string | undefined)[]): ToolResult => ({
  text: lines.filter((line) => line !== undefined).join("\n"),
  structured: plainData(structured),
});

function goOn(name: string, args: JsonObject, { nextCursor }: More): string | undefined {
  return nextCursor === undefined ? undefined : `More: ${callText(name, { ...args, cursor: nextCursor })}`;
}

const cd = tool(
  "reads",
  [
    "cd",
    "Change directory and list it",
    'Go to a directory and list it, names first, at most 20 entries. "/" lists the approved roots; relative paths start at cwd. Directories show the totals of everything below them.',
  ],
  {
    path: argument(path),
    limit: LIMIT,
    cursor: CURSOR,
    indexId: argument(handle.optional(), {
      type: "string",
      description: "another index of the root; default: the fullest",
    }),
    sessionId: SESSION,
  },
  async (shell, args) => {
    const found = await shell.cd(args);
    const { base, cwd, indexId, sessionId: session, entries, total, entryLink, job, hint, units } = found;
    return both(found, [
      `${nameWords(cwd)}: ${entries.length} of ${counted(total, "entry", "entries")}; index ${indexId ?? "none"}${args.sessionId === undefined ? "" : `, session ${session}`}`,
      ...entries.map((entry) => entryLine(entry, units)),
      entryLink === undefined ? undefined : `Link to each: ${base}${entryLink}`,
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
  [
    "index",
    "Scan a root",
    "Scan an approved root (names, sizes, times; never contents) as a job. Returns at once; cd works while it runs. Later scans read only directories that changed.",
  ],
  {
    root: argument(path),
    depthLimit: argument(z.int().min(1).max(10_000).optional(), { type: "integer", minimum: 1 }),
    followSymlinks: FLAG,
    verify: argument(z.boolean().optional(), {
      type: "boolean",
      description: "also find files that were rewritten in place",
    }),
    digests: argument(z.boolean().optional(), {
      type: "boolean",
      description: "instead: compare contents of files of equal size, to find copies",
    }),
  },
  async (shell, args) => {
    const started = await shell.index(args);
    const { base, jobId, indexId, cwdHint, statusUrl, note } = started;
    return both(started, [
      `Job ${jobId} ${args.digests ? "compares the files of" : "scans into"} index ${indexId ?? "(soon)"}; GET ${base}${statusUrl} follows it (also as SSE).`,
      `Next: ${callText("job-progress", { jobId })}, or ${callText("cd", { path: cwdHint })} at once.`,
      note,
    ]);
  },
);

const jobProgress = tool(
  "reads",
  ["job-progress", "Progress of a job", "Status, percentage, ETA and counts of a scan."],
  { jobId: argument(handle) },
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
  [
    "inspect",
    "Look at one file or directory",
    "Facts about one node, by nodeId or by path in the current index. Contents are never inlined; urls has the download if the grant allows it.",
  ],
  { nodeId: ID, path: argument(path.optional()), sessionId: SESSION },
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

/** Skips the current version, which the lines above already show. */
const versionLines = (versions: readonly FileVersion[]): string[] =>
  versions.length < 2
    ? []
    : [
        `Changed: found ${versions[0]!.foundAt ?? "in the last scan"}`,
        ...versions.slice(1).map(({ size, modifiedAt }) => `Before: ${size} B, modified ${modifiedAt}`),
      ];

const OPS = ["create", "list", "get", "delete", "add", "remove"] as const;
const COMBINE = ["union", "intersection", "difference"] as const;

const resourceSetOps = tool(
  "removes",
  [
    "resource-set-ops",
    "Curate selections",
    "Named selections of nodes: create (of nodeIds, or combine two or more), list, get (largest first; cursor continues), add, remove, delete. Only the selection changes, never a file.",
  ],
  {
    op: argument(z.enum(OPS), { enum: OPS }),
    selectionId: ID,
    queryId: argument(handle.optional(), { type: "string", description: "delete: a saved query" }),
    nodeIds: ids(1000),
    name: NAME,
    indexId: ID,
    combine: argument(z.enum(COMBINE).optional(), { enum: COMBINE }),
    selectionIds: ids(20),
    cursor: CURSOR,
  },
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
          ? `Deleted the saved query ${answer.queryId}; the selection that it filled is kept.`
          : `Deleted the selection ${answer.selectionId}; the files are unchanged.`,
      ]);
    if ("sets" in answer)
      return both(answer, [
        answer.sets.length === 0
          ? `No selections yet. ${callText("resource-set-ops", { op: "create", name: "NAME" })} creates one.`
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

type SetArgument = "selectionId" | "nodeIds" | "name";
const NEEDED: Record<(typeof OPS)[number], readonly SetArgument[]> = {
  create: ["name"],
  list: [],
  get: ["selectionId"],
  delete: ["selectionId"],
  add: ["selectionId", "nodeIds"],
  remove: ["selectionId", "nodeIds"],
};
const EXAMPLE: Record<SetArgument, string | string[]> = { selectionId: "sel_…", nodeIds: ["n1-42.7"], name: "NAME" };

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
  [
    "query-run",
    "Find nodes and keep them",
    "Find nodes of the current index by a filter, or run a saved query again. Matches become a selection, for a day unless named; the result shows the largest.",
  ],
  {
    queryId: ID,
    filter: argument(z.record(z.string(), z.unknown()).optional(), { type: "object", description: FILTER_HELP }),
    name: NAME,
    under: argument(handle.optional(), { type: "string", description: "nodeId of a directory" }),
    indexId: ID,
    save: argument(z.boolean().optional(), { type: "boolean", description: "false: save nothing" }),
    cursor: argument(CURSOR.check, {
      type: "string",
      description: "next page, with queryId, or with the same filter and save: false",
    }),
    sessionId: SESSION,
  },
  async (shell, { queryId, filter, cursor: from, save = true, ...rest }) => {
    if ((queryId === undefined) === (filter === undefined)) {
      throw new ToolError("invalid_request", "specify either queryId or filter", {
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
        `${matches} match in ${looked.indexId}, ${bytesWords(totalSize, looked.units)}; nothing was saved`,
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
  ["query-list", "Saved queries", "Lists your saved queries."],
  { cursor: CURSOR },
  async (shell, args) => {
    const found = await shell.queryList(args);
    return both(found, [
      found.queries.length === 0
        ? `No saved queries yet. ${callText("query-run", { filter: { name: "*.pdf" }, name: "NAME" })} creates one.`
        : `${found.queries.length} queries`,
      ...found.queries.map(cardLine),
      goOn("query-list", {}, found),
    ]);
  },
);

const queryGet = tool(
  "reads",
  ["query-get", "One saved query", "One saved query; full: true adds its filter."],
  { queryId: argument(handle), full: FLAG },
  async (shell, args) => {
    const found = await shell.queryGet(args);
    return both(found, [
      cardLine(found),
      found.filter === undefined
        ? `Its filter${args.full ? ", too long to show here" : ""}: GET ${found.base}${found.filterUrl}`
        : `filter: ${JSON.stringify(plainData(found.filter))}`,
    ]);
  },
);

const UNITS = ["bytes", "binary", "decimal"] as const;

const sessionPreferences = tool(
  "reads",
  ["session-preferences", "Units and page size", "Page length and size units of this session."],
  { units: argument(z.enum(UNITS).optional(), { enum: UNITS }), limit: LIMIT, sessionId: SESSION },
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
