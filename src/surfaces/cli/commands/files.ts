// pdpp files: a shell over indexed disks: approve, scan, look, find, gather.
import type { Command, CommandContext } from "../command.ts";
import { UsageError } from "../command.ts";
import { nearest } from "../nearest.ts";

type Act = (context: CommandContext, rest: string[]) => Promise<number>;

/** Each loads what it needs. */
const ACTS: Record<string, () => Promise<Act>> = {
  roots: () => import("../files/roots.ts").then((module) => module.roots),
  index: () => import("../files/scan.ts").then((module) => module.index),
  sync: () => import("../files/sync.ts").then((module) => module.sync),
  jobs: () => import("../files/scan.ts").then((module) => module.jobs),
  cd: () => import("../files/look.ts").then((module) => module.cd),
  ls: () => import("../files/look.ts").then((module) => module.ls),
  du: () => import("../files/look.ts").then((module) => module.du),
  largest: () => import("../files/look.ts").then((module) => module.largest),
  find: () => import("../files/find.ts").then((module) => module.find),
  dupes: () => import("../files/find.ts").then((module) => module.dupes),
  grown: () => import("../files/find.ts").then((module) => module.grown),
  sets: () => import("../files/curate.ts").then((module) => module.sets),
  queries: () => import("../files/curate.ts").then((module) => module.queries),
  mcp: () => import("../files/mcp.ts").then((module) => module.mcp),
};

export const files: Command = {
  summary: "disks: approve, scan, look, find, gather",
  usage:
    "pdpp files roots [list] | roots add PATH [--name X] [--text] [--cross-mounts] | roots remove ROOT [--yes]\n" +
    "       pdpp files roots text ROOT on|off | roots mounts ROOT on|off\n" +
    "       pdpp files index PATH [--depth N] [--follow] [--cross-mounts] [--ignore GLOB,…] [--verify]\n" +
    "                  scans PATH and waits; approves it as a root if it is none\n" +
    "       pdpp files sync [ROOT]     brings the records of indexed disks up to date; a server does it by itself\n" +
    "       pdpp files cd PATH | ls [PATH] [--sort name|size|time] | du [PATH] | largest [PATH] [--dirs]\n" +
    "       pdpp files find [PATH] [--name GLOB] [--type image/*] [--kind file|dir|…] [--min-size 10M] [--max-size N]\n" +
    "                  [--after DATE] [--before DATE] [--sort size|time|name] [--save NAME]\n" +
    "       pdpp files dupes [PATH] [--min-size 1M] | grown [PATH] [--since SCAN]\n" +
    "       pdpp files sets [show ID | delete ID] | queries [run ID] | jobs [pause|resume|cancel ID]\n" +
    "       pdpp files mcp [--server URL] [--token T]\n" +
    "                  the nine tools for an AI app, on stdin and stdout, under a grant of the files",
  examples: [
    "pdpp files index ~/Photos",
    "pdpp files ls ~/Photos --sort size",
    "pdpp files find --type 'image/*' --after 2019-01-01 --before 2020-01-01",
    "pdpp files largest --limit 20",
    "pdpp files dupes --min-size 1M",
  ],
  options: {
    name: { type: "string" },
    text: { type: "boolean" },
    yes: { type: "boolean", short: "y" },
    depth: { type: "string" },
    follow: { type: "boolean" },
    "cross-mounts": { type: "boolean" },
    ignore: { type: "string", multiple: true },
    verify: { type: "boolean" },
    sort: { type: "string" },
    limit: { type: "string" },
    dirs: { type: "boolean" },
    type: { type: "string" },
    kind: { type: "string" },
    "min-size": { type: "string" },
    "max-size": { type: "string" },
    after: { type: "string" },
    before: { type: "string" },
    since: { type: "string" },
    save: { type: "string" },
    token: { type: "string" },
    server: { type: "string" },
  },
  local: true,
  async run(context) {
    const [action, ...rest] = context.positionals;
    if (action === undefined) throw new UsageError(`say one of ${Object.keys(ACTS).join(", ")}`);
    const act = Object.hasOwn(ACTS, action) ? ACTS[action] : undefined;
    if (act === undefined) {
      const meant = nearest(action, Object.keys(ACTS));
      throw new UsageError(
        `there is no \`pdpp files ${action}\`${meant === undefined ? "" : `; did you mean \`pdpp files ${meant}\`?`}`,
      );
    }
    if (context.values.server !== undefined && action !== "mcp")
      throw new UsageError(`--server is for \`pdpp files mcp\`; \`pdpp files ${action}\` works on a home`);
    return (await act())(context, rest);
  },
};
