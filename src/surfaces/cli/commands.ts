// The commands of pdpp by name, each loaded when it is called.
import type { Command } from "./command.ts";

export const COMMANDS = {
  serve: () => import("./commands/serve.ts").then((module) => module.serve),
  import: () => import("./commands/import.ts").then((module) => module.importCommand),
  ingest: () => import("./commands/ingest.ts").then((module) => module.ingest),
  schema: () => import("./commands/schema.ts").then((module) => module.schema),
  query: () => import("./commands/query.ts").then((module) => module.query),
  aggregate: () => import("./commands/aggregate.ts").then((module) => module.aggregate),
  search: () => import("./commands/search.ts").then((module) => module.search),
  fetch: () => import("./commands/fetch.ts").then((module) => module.fetch),
  export: () => import("./commands/export.ts").then((module) => module.exportCommand),
  read: () => import("./commands/read.ts").then((module) => module.read),
  connect: () => import("./commands/connect.ts").then((module) => module.connect),
  disconnect: () => import("./commands/disconnect.ts").then((module) => module.disconnect),
  token: () => import("./commands/token.ts").then((module) => module.token),
  mcp: () => import("./commands/mcp.ts").then((module) => module.mcp),
  files: () => import("./commands/files.ts").then((module) => module.files),
  grants: () => import("./commands/grants.ts").then((module) => module.grants),
  owner: () => import("./commands/owner.ts").then((module) => module.owner),
  connections: () => import("./commands/connections.ts").then((module) => module.connections),
  connectors: () => import("./commands/connectors.ts").then((module) => module.connectors),
  activity: () => import("./commands/activity.ts").then((module) => module.activity),
  why: () => import("./commands/why.ts").then((module) => module.why),
  backup: () => import("./commands/backup.ts").then((module) => module.backup),
  restore: () => import("./commands/restore.ts").then((module) => module.restore),
  doctor: () => import("./commands/doctor.ts").then((module) => module.doctor),
} as const satisfies Record<string, () => Promise<Command>>;

export type CommandName = keyof typeof COMMANDS;

/** Shown by `pdpp --help`; kept here so that help loads no command. */
export const SUMMARIES: Record<CommandName, string> = {
  serve: "run the server on a home",
  import: "bring in exports: mail, chats, notes, calendars, statements and more",
  ingest: "bring records in, one JSON object a line",
  schema: "what can be read: sources, connections, streams, fields",
  query: "list records: filter, sort, page, or what changed since",
  aggregate: "count, sum, min, max, avg, count_distinct; by group or time",
  search: "find records by their words, with the passage that matched",
  fetch: "read what a handle names",
  export: "write records to a file: JSON lines, CSV or Parquet",
  read: "read a long field in windows",
  connect: "get a grant from a server: its owner approves in a browser",
  disconnect: "give a grant back and forget its credential",
  token: "print an access token that works now, for scripts",
  mcp: "the five read tools for an AI app, on stdin and stdout",
  files: "disks: approve, scan, look, find, gather",
  grants: "issue, list, show and revoke what apps may read",
  owner: "owner tokens; a new setup link; where you are signed in",
  connections: "accounts, archives and disks: list, create, rename, delete",
  connectors: "the sources this home knows: list, add",
  activity: "what was read, by whom; verify the log",
  why: "why a call was denied: the line of the grant that decided",
  backup: "copy the whole home, while it works",
  restore: "make a home of a backup",
  doctor: "check a home and say what to do",
};
