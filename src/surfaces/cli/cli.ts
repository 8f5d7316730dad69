// pdpp: finds the command, parses its options, runs it, and turns errors into an exit code.
import { homedir } from "node:os";
import { join } from "node:path";
import { nearest } from "../../core/nearest.ts";
import type { Command, CommandContext, Connected } from "./command.ts";
import { COMMANDS, type CommandName } from "./commands.ts";
import { type Failure, failureOf } from "./failure.ts";
import { commandHelp, overview } from "./help.ts";
import { parseCommand } from "./parse.ts";
import { plainJson, printable } from "./printable.ts";
import type { CalledCommand } from "./spoken.ts";
import { installedVersion } from "./version.ts";

export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader closed the pipe (`pdpp query … | head`), so there is nothing left to do.
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  // If stderr is closed, nobody reads the notes. A server keeps running without them.
  process.stderr.on("error", () => undefined);
  process.exitCode = await run(argv);
}

async function run(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  const json = rest.includes("--json");
  if (name === undefined) {
    process.stdout.write(overview());
    return 2;
  }
  if (name === "--version") {
    process.stdout.write(`pdpp ${await installedVersion()}\n`);
    return 0;
  }
  if (name === "--help" || name === "-h" || name === "help") return help(rest[0], json);
  if (!isCommand(name)) return noCommand(name, json);
  const command = await COMMANDS[name]();
  const called: CalledCommand = { name, values: {}, positionals: [] };
  try {
    Object.assign(called, parseCommand(command, rest));
    if (called.values.help) return help(name, json);
    return await runCommand(command, called);
  } catch (error) {
    return report(failureOf(error, called, command.usage), json);
  }
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

async function help(name: string | undefined, json: boolean): Promise<number> {
  if (name === undefined || name.startsWith("-")) process.stdout.write(overview());
  else if (!isCommand(name)) return noCommand(name, json);
  else process.stdout.write(commandHelp(name, await COMMANDS[name]()));
  return 0;
}

/** Maps words that other tools and our own pages use to command names. */
const SYNONYMS: Record<string, CommandName> = {
  add: "import",
  apps: "grants",
  audit: "activity",
  count: "aggregate",
  find: "search",
  get: "fetch",
  list: "query",
  log: "activity",
  login: "connect",
  logout: "disconnect",
  ls: "files",
  permissions: "grants",
  records: "query",
  run: "serve",
  sources: "connections",
  start: "serve",
  status: "doctor",
  streams: "schema",
  sync: "schedules",
  upload: "import",
};

function noCommand(name: string, json: boolean): number {
  const message = `there is no command ${JSON.stringify(name)}`;
  const meant = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : nearest(name, Object.keys(COMMANDS));
  const next_step = `${meant === undefined ? "" : `Did you mean \`pdpp ${meant}\`? `}\`pdpp --help\` lists all commands.`;
  const body = { type: "usage_error", code: "usage", message, next_step };
  return report({ exitCode: 2, body, text: `pdpp: ${printable(message, 200)}\n${next_step}\n` }, json);
}

async function runCommand(command: Command, { values, positionals }: CalledCommand): Promise<number> {
  const home = (values.home as string | undefined) ?? process.env.PDPP_HOME ?? join(homedir(), ".postern");
  let connected: Connected | undefined;
  const context: CommandContext = {
    values,
    positionals: [...positionals],
    json: values.json === true,
    home,
    out: (text) => void process.stdout.write(text.endsWith("\n") ? text : `${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    async connect(options) {
      if (connected === undefined) {
        const { connect } = await import("./connect.ts");
        connected = await connect(home, values, { ...options, note: context.note });
      }
      return connected;
    },
    async call(name, query) {
      const { host, credential } = await context.connect();
      return host.call(name, query, credential);
    },
    async reader() {
      const { host, credential } = await context.connect();
      const { engineClient } = await import("../../engine/host.ts");
      return engineClient(host, credential);
    },
  };
  try {
    return (await command.run(context)) ?? 0;
  } finally {
    await connected?.host.close();
  }
}

function report({ exitCode, body, text }: Failure, json: boolean): number {
  if (json) process.stdout.write(`${plainJson(JSON.stringify({ error: body }))}\n`);
  else process.stderr.write(text);
  return exitCode;
}
