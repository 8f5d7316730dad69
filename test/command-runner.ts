// Runs pdpp commands for tests in one process, one after another. A new process for each command took most of the
// tests' CPU time.
import { Readable, Writable } from "node:stream";
import type { main as Main } from "../src/surfaces/cli/cli.ts";

export interface CommandRequest {
  args: readonly string[];
  input: string;
  env: NodeJS.ProcessEnv;
  cwd: string;
}

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

const BIN = new URL("../bin/pdpp.js", import.meta.url).pathname;
const { main } = (await import(new URL("../dist/surfaces/cli/cli.js", import.meta.url).href)) as { main: typeof Main };

process.on("message", (request: CommandRequest) => void run(request).then((result) => process.send!(result)));
// The test process has exited.
process.on("disconnect", () => process.exit());

/** Gives the command everything that it would have in a new process. */
async function run({ args, input, env, cwd }: CommandRequest): Promise<CommandResult> {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.umask(0o022);
  process.argv = [process.execPath, BIN, ...args];
  process.exitCode = undefined;
  const stdin = new Readable({ read: () => undefined });
  stdin.push(input);
  stdin.push(null);
  const [stdout, stderr] = [collecting(), collecting()];
  for (const [name, value] of Object.entries({ stdin, stdout, stderr }))
    Object.defineProperty(process, name, { value, configurable: true });
  await main(args);
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  process.chdir("/");
  await closeConnections();
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collecting(): Writable & { text(): string } {
  const parts: Buffer[] = [];
  const stream = new Writable({
    write(part: Buffer, _, done) {
      parts.push(part);
      done();
    },
  });
  return Object.assign(stream, { text: () => Buffer.concat(parts).toString("utf8") });
}

/**
 * Closes idle connections. If the server has stopped since, the next command would get a reset on an old connection.
 */
async function closeConnections(): Promise<void> {
  const key = Symbol.for("undici.globalDispatcher.1");
  const holder = globalThis as unknown as Record<
    symbol,
    { close(): Promise<void>; constructor: new () => never } | undefined
  >;
  const agent = holder[key];
  if (agent === undefined) return;
  holder[key] = new agent.constructor();
  await agent.close();
}
