// pdpp: finds the command, parses its options, runs it, and turns what went wrong into an exit code.
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { errorBody, exitCodeOf, PdppError } from "../../contract/errors.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import { COMMON_OPTIONS, type Command, type CommandContext, UsageError, type Values } from "./command.ts";
import { COMMANDS, type CommandName } from "./commands.ts";
import { commandHelp, overview } from "./help.ts";

export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader went away (`pdpp query … | head`): nothing left to do.
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  process.exitCode = await run(argv);
}

async function run(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(overview());
    return name === undefined ? 2 : 0;
  }
  if (!Object.hasOwn(COMMANDS, name)) {
    process.stderr.write(`pdpp: no command ${JSON.stringify(name)}\n\n${overview()}`);
    return 2;
  }
  const command = await COMMANDS[name as CommandName]();
  const json = rest.includes("--json");
  try {
    const { values, positionals } = parseArgs({ args: rest, options: { ...COMMON_OPTIONS, ...command.options }, allowPositionals: true });
    if (values.help) {
      process.stdout.write(commandHelp(name, command));
      return 0;
    }
    return await runCommand(command, values as Values, positionals);
  } catch (error) {
    return report(error, name, command, json);
  }
}

async function runCommand(command: Command, values: Values, positionals: string[]): Promise<number> {
  const home = (values.home as string | undefined) ?? process.env.PDPP_HOME ?? join(homedir(), ".postern");
  let connected: { host: EngineHost; credential: Credential } | undefined;
  const context: CommandContext = {
    values,
    positionals,
    json: values.json === true,
    home,
    out: (text) => void process.stdout.write(text.endsWith("\n") ? text : `${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    async connect() {
      if (connected === undefined) {
        const { connect } = await import("./connect.ts");
        connected = await connect(home, values);
      }
      return connected;
    },
  };
  try {
    return (await command.run(context)) ?? 0;
  } finally {
    await connected?.host.close();
  }
}

function report(error: unknown, name: string, command: Command, json: boolean): number {
  if (error instanceof PdppError) {
    if (json) process.stdout.write(`${JSON.stringify({ error: errorBody(error) })}\n`);
    else process.stderr.write(`pdpp ${name}: ${error.message}\n${nextStep(error)}\n`);
    return exitCodeOf(error.code);
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError || code?.startsWith("ERR_PARSE_ARGS")) {
    if (json) process.stdout.write(`${JSON.stringify({ error: { type: "usage_error", code: "usage", message, next_step: command.usage } })}\n`);
    else process.stderr.write(`pdpp ${name}: ${message}\nusage: ${command.usage}\n\`pdpp ${name} --help\` shows examples.\n`);
    return 2;
  }
  process.stderr.write(`pdpp ${name}: ${(error as Error).stack ?? String(error)}\n`);
  return 1;
}

function nextStep(error: PdppError): string {
  const choices = (error.details.available_connections ?? []).map((row) => `  --connection ${row.connection_id}   (${row.connector_key})`);
  return [errorBody(error).next_step, ...choices].join("\n");
}
