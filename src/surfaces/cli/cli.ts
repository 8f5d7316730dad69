// pdpp: finds the command, parses its options, runs it, and turns what went wrong into an exit code.
import { homedir } from "node:os";
import { join } from "node:path";
import type { Command, CommandContext, Connected, Values } from "./command.ts";
import { COMMANDS, type CommandName } from "./commands.ts";
import { failureOf } from "./failure.ts";
import { commandHelp, overview } from "./help.ts";
import { parseCommand } from "./parse.ts";
import { plainJson } from "./printable.ts";

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
    const { values, positionals } = parseCommand(command, rest);
    if (values.help) {
      process.stdout.write(commandHelp(name, command));
      return 0;
    }
    return await runCommand(command, values, positionals);
  } catch (error) {
    return report(error, name, command, json);
  }
}

async function runCommand(command: Command, values: Values, positionals: string[]): Promise<number> {
  const home = (values.home as string | undefined) ?? process.env.PDPP_HOME ?? join(homedir(), ".postern");
  let connected: Connected | undefined;
  const context: CommandContext = {
    values,
    positionals,
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

function report(error: unknown, name: string, command: Command, json: boolean): number {
  const failure = failureOf(error, command);
  if (json) process.stdout.write(`${plainJson(JSON.stringify({ error: failure.body }))}\n`);
  else process.stderr.write(failure.text(name));
  return failure.exitCode;
}
