// The commands of pdpp by name, each loaded when it is called.
import type { Command } from "./command.ts";

export const COMMANDS = {
  serve: () => import("./commands/serve.ts").then((module) => module.serve),
  grants: () => import("./commands/grants.ts").then((module) => module.grants),
  owner: () => import("./commands/owner.ts").then((module) => module.owner),
} as const satisfies Record<string, () => Promise<Command>>;

export type CommandName = keyof typeof COMMANDS;

/** Shown by `pdpp --help`; kept here so that help loads no command. */
export const SUMMARIES: Record<CommandName, string> = {
  serve: "run the server on a home",
  grants: "issue, list, show and revoke what apps may read",
  owner: "owner tokens",
};
