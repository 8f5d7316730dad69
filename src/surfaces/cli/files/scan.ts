// pdpp files index, jobs: runs scans and shows their progress.
import { enterRunningScan } from "../../../files/shell/sessions.ts";
import { type CommandContext, list, UsageError, wholeNumber } from "../command.ts";
import { bytes, count, table } from "../table.ts";
import { filesJson } from "./json.ts";
import { ownerCall, withLens } from "./lens.ts";
import { pathFrom } from "./roots.ts";
import { syncNow } from "./sync.ts";
import { watched } from "./watched.ts";

/** Up to this many nodes, the command updates the records before it ends, which takes a second. */
const SYNC_NODES_MAX = 20_000;

export async function index(context: CommandContext, [path, ...rest]: string[]): Promise<number> {
  const { values, json, out } = context;
  if (path === undefined || rest.length > 0) throw new UsageError("specify one directory: pdpp files index PATH");
  const depthLimit = wholeNumber(values, "depth", 1);
  const ignore = list(values, "ignore");
  const { root, job, info } = await withLens(
    context,
    async (lens) => {
      const added = await lens.addRoot({
        path: pathFrom(path),
        ...(values["cross-mounts"] === true ? { crossMounts: true } : {}),
      });
      const started = await lens.files.index({
        rootId: added.rootId,
        options: {
          ...(depthLimit === undefined ? {} : { depthLimit }),
          ...(values.follow === true ? { followSymlinks: true } : {}),
          ...(ignore === undefined ? {} : { ignore }),
        },
        verify: values.verify === true,
      });
      const ended = await watched(lens, started, json ? out : undefined);
      const call = ownerCall(lens, "index");
      await call.enter("navigate");
      await enterRunningScan(call, ended.indexId);
      if (ended.status === "succeeded") await lens.syncRecords(added.rootId);
      return { root: added, job: ended, info: await lens.files.indexInfo(ended.indexId) };
    },
    { scans: true },
  );
  const { files = 0, dirs = 0, size = 0, allocated = 0, problems = 0 } = info.totals ?? {};
  const { status, error } = job;
  const isDone = status === "succeeded";
  const isSmall = files + dirs <= SYNC_NODES_MAX;
  if (isDone && isSmall) await syncNow(context, root.rootId);
  if (json) {
    const { rootId, connectionId } = root;
    const { jobId, indexId } = job;
    const facts = { indexId, rootId, connectionId, path: root.path, jobId, status, files, dirs, bytes: size };
    const rest = { allocated, problems, scans: info.scans, ...(error === undefined ? {} : { error }) };
    out(filesJson({ ...facts, ...rest }));
  } else {
    out(
      `${root.path}: ${count(files, "file")} in ${count(dirs, "directory", "directories")}, ${bytes(size)} (${bytes(allocated)} on disk).`,
    );
    if (problems > 0) context.note(`${count(problems, "path")} could not be read.`);
    if (!isDone) context.note(`The scan ${status}${error === undefined ? "" : `: ${error}`}.`);
    else {
      if (!isSmall) context.note("The records are updated while the server runs; `pdpp files sync` updates them now.");
      context.note(`Next: pdpp files ls ${root.path} --sort size`);
    }
  }
  return isDone ? 0 : 1;
}

export async function jobs(context: CommandContext, [action, jobId, ...rest]: string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
  return withLens(context, async (lens) => {
    const methods = { pause: "pauseJob", resume: "resumeJob", cancel: "cancelJob" } as const;
    if (action !== undefined) {
      if (!Object.hasOwn(methods, action) || jobId === undefined)
        throw new UsageError("choose jobs, or jobs pause|resume|cancel ID");
      const job = await lens.files[methods[action as keyof typeof methods]](jobId);
      context.out(context.json ? filesJson(job) : `${job.jobId}: ${job.status}`);
      return 0;
    }
    const data = await lens.files.jobs();
    if (context.json) context.out(filesJson({ data }));
    else if (data.length === 0) context.out("No scans yet. `pdpp files index PATH` starts one.");
    else
      context.out(
        table(
          ["job", "kind", "index", "status", "nodes", "started"],
          data.map((job) => [job.jobId, job.kind, job.indexId, job.status, String(job.progress.nodes), job.startedAt]),
        ),
      );
    return 0;
  });
}
