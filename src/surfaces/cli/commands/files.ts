// pdpp files: a shell over indexed disks. Its subcommands approve and scan roots, list and find files, and show
// selections.

import { nearest } from "../../../core/nearest.ts";
import type { Command, CommandContext } from "../command.ts";
import { UsageError } from "../command.ts";

type Act = (context: CommandContext, rest: string[]) => Promise<number>;

/** Each subcommand loads its own module. */
const ACTS: Record<string, () => Promise<Act>> = {
  roots: () => import("../files/roots.ts").then((module) => module.roots),
  index: () => import("../files/scan.ts").then((module) => module.index),
  sync: () => import("../files/sync.ts").then((module) => module.sync),
  jobs: () => import("../files/scan.ts").then((module) => module.jobs),
  cd: () => import("../files/listing.ts").then((module) => module.cd),
  ls: () => import("../files/listing.ts").then((module) => module.ls),
  du: () => import("../files/listing.ts").then((module) => module.du),
  largest: () => import("../files/listing.ts").then((module) => module.largest),
  find: () => import("../files/find.ts").then((module) => module.find),
  dupes: () => import("../files/find.ts").then((module) => module.dupes),
  grown: () => import("../files/find.ts").then((module) => module.grown),
  sets: () => import("../files/curate.ts").then((module) => module.sets),
  queries: () => import("../files/curate.ts").then((module) => module.queries),
  mcp: () => import("../files/mcp.ts").then((module) => module.mcp),
};

export const files: Command = {
  summary: "disks: approve, scan, browse, search, select",
  usage:
    "pdpp files roots [list] | roots add PATH [--name X] [--text] [--cross-mounts] | roots remove ROOT [--yes]\n" +
    "       pdpp files roots text ROOT on|off|photos | roots mounts ROOT on|off\n" +
    "       pdpp files index PATH [--depth N] [--follow] [--cross-mounts] [--ignore GLOB,…] [--verify]\n" +
    "                  scans PATH and waits; approves it as a root if needed\n" +
    "       pdpp files sync [ROOT]     updates the records of indexed disks; a running server does this automatically\n" +
    "       pdpp files cd PATH | ls [PATH] [--sort name|size|time] | du [PATH] | largest [PATH] [--dirs]\n" +
    "       pdpp files find [PATH] [--name GLOB] [--type image/*] [--kind file|dir|…] [--min-size 10M] [--max-size N]\n" +
    "                  [--after DATE] [--before DATE] [--sort size|time|name] [--save NAME]\n" +
    "       pdpp files dupes [PATH] [--min-size 1M] | grown [PATH] [--since SCAN]\n" +
    "       pdpp files sets [show ID | delete ID] | queries [run ID] | jobs [pause|resume|cancel ID]\n" +
    "       pdpp files mcp [--server URL] [--token T]\n" +
    "                  serves the nine file tools to an AI app over stdin and stdout, under a file grant",
  examples: [
    "pdpp files index ~/Photos",
    "pdpp files ls ~/Photos --sort size",
    "pdpp files find --type 'image/*' --after 2019-01-01 --before 2020-01-01",
    "pdpp files largest --limit 20",
    "pdpp files dupes --min-size 1M",
  ],
  actions: [
    "roots",
    "index",
    "sync",
    "cd",
    "ls",
    "du",
    "largest",
    "find",
    "dupes",
    "grown",
    "sets",
    "queries",
    "jobs",
    "mcp",
  ],
  options: {
    name: { type: "string", value: "GLOB", about: "find: files whose name matches; roots add: the name of the root" },
    text: { type: "boolean", about: "roots add: also read the text of documents" },
    yes: { type: "boolean", short: "y", about: "do not ask for confirmation" },
    depth: { type: "string", value: "N", about: "index: at most this many directory levels" },
    follow: { type: "boolean", about: "index: follow symbolic links" },
    "cross-mounts": { type: "boolean", about: "roots add, index: also enter other file systems below the root" },
    ignore: {
      type: "string",
      multiple: true,
      value: "GLOB,…",
      about: "index: skip matching paths; can be repeated",
    },
    verify: { type: "boolean", about: "index: read every directory again, including unchanged ones" },
    sort: { type: "string", value: "name|size|time", about: "the order of the list" },
    limit: { type: "string", value: "N", about: "at most this many results" },
    dirs: { type: "boolean", about: "largest: directories instead of files" },
    type: { type: "string", value: "TYPE", about: "find: only this media type, such as image/*" },
    kind: { type: "string", value: "KIND", about: "find: file, dir, symlink or other" },
    "min-size": { type: "string", value: "SIZE", about: "at least this size, such as 10M" },
    "max-size": { type: "string", value: "SIZE", about: "at most this size, such as 1G" },
    after: { type: "string", value: "DATE", about: "find: changed on or after this date" },
    before: { type: "string", value: "DATE", about: "find: changed before this date" },
    since: { type: "string", value: "SCAN", about: "grown: compare with this scan" },
    save: { type: "string", value: "NAME", about: "find: save the query under this name" },
    token: { type: "string", value: "TOKEN", about: "mcp: a grant's token" },
    server: { type: "string", value: "URL", about: "mcp: the server to read" },
  },
  local: true,
  async run(context) {
    const [action, ...rest] = context.positionals;
    if (action === undefined) throw new UsageError(`choose a subcommand: ${Object.keys(ACTS).join(", ")}`);
    const act = Object.hasOwn(ACTS, action) ? ACTS[action] : undefined;
    if (act === undefined) {
      const meant = nearest(action, Object.keys(ACTS));
      throw new UsageError(
        `there is no \`pdpp files ${action}\`${meant === undefined ? "" : `; did you mean \`pdpp files ${meant}\`?`}`,
      );
    }
    if (context.values.server !== undefined && action !== "mcp")
      throw new UsageError(`--server is only for \`pdpp files mcp\`; \`pdpp files ${action}\` works on a home`);
    return (await act())(context, rest);
  },
};
