// pdpp service: keeps the server running with this system's service manager.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PdppError } from "../../../contract/errors.ts";
import { quote } from "../../../core/shell-quote.ts";
import { readPlan } from "../../../engine/backup/plan.ts";
import { type Command, type CommandContext, oneOf, text, UsageError, wholeNumber } from "../command.ts";
import { describeService, type ServiceDefinition } from "../service/definition.ts";
import { managerOf, SERVICE_MANAGERS, type ServiceCommand, type ServiceManager } from "../service/managers.ts";
import { serve } from "./serve.ts";

const ACTIONS = ["install", "status", "logs", "start", "stop", "uninstall"] as const;
const LOG_LINES = 100;

const { demo: _demo, ...SERVE_OPTIONS } = serve.options;

export const service: Command = {
  summary: "keep the server running: systemd, launchd or Windows Task Scheduler",
  usage:
    "pdpp service install [--name NAME] [--print] [options of pdpp serve]\n" +
    "       pdpp service status | logs [--lines N] | start | stop | uninstall [--name NAME]",
  details: `install    creates a service for your user and starts it; it starts again after a failure and when you sign in.
           It accepts the options of \`pdpp serve\` and stores them
stop       stops the service until you sign in again or run \`pdpp service start\`
uninstall  stops the service and removes its file; the home is kept`,
  examples: [
    "pdpp service install",
    "pdpp service install --home ~/my-data --port 7900 --name my-data",
    "pdpp service install --print --manager systemd",
    "pdpp service status",
    "pdpp service logs --lines 20",
    "pdpp service uninstall",
  ],
  actions: ACTIONS,
  options: {
    ...SERVE_OPTIONS,
    name: { type: "string", value: "NAME", about: "a second service, for a second home" },
    print: { type: "boolean", about: "write the service file to standard output and install nothing" },
    manager: {
      type: "string",
      value: "NAME",
      about: "with --print: systemd, launchd or windows (default: this system's)",
    },
    lines: { type: "string", value: "N", about: "logs: how many lines (default: 100)" },
  },
  local: true,
  async run(context) {
    const { values, positionals } = context;
    const [given, ...rest] = positionals;
    const action = ACTIONS.find((one) => one === given);
    if (action === undefined || rest.length > 0) throw new UsageError(`Choose a subcommand: ${ACTIONS.join(", ")}`);
    if (values.manager !== undefined && !values.print) throw new UsageError("--manager can only be used with --print");
    const name = serviceName(text(values, "name"));
    const manager = managerFor(oneOf(values, "manager", ["systemd", "launchd", "windows"]));
    const file = manager.file(name, homedir());
    const definition = await definitionOf(context, name);
    if (action === "install") return install(context, manager, file, definition);
    if (!existsSync(file)) throw notInstalled(name, file);
    if (action === "status") return show(manager.status(name));
    if (action === "logs") {
      const lines = wholeNumber(values, "lines", 1) ?? LOG_LINES;
      checkLog(manager, name, definition.logFile);
      return show(manager.logs(name, definition.logFile, lines));
    }
    for (const command of manager[action](name, file)) perform(command);
    if (action === "uninstall") rmSync(file);
    const said = { start: "Started", stop: "Stopped", uninstall: `Removed ${file} and stopped` }[action];
    context.out(`${said} ${name}.${action === "uninstall" ? ` The home ${definition.home} is kept.` : ""}`);
    return 0;
  },
};

function serviceName(given: string | undefined): string {
  if (given !== undefined && !/^[a-z0-9][a-z0-9-]{0,31}$/.test(given))
    throw new UsageError(`--name may contain only lowercase letters, digits and dashes, not ${JSON.stringify(given)}`);
  return given === undefined ? "postern" : `postern-${given}`;
}

function managerFor(asked: keyof typeof SERVICE_MANAGERS | undefined): ServiceManager {
  const name = asked ?? managerOf(process.platform);
  if (name === undefined)
    throw new PdppError("invalid_request", `pdpp supports no service manager on ${process.platform}`, {
      next_step:
        "Run `pdpp serve` under your own service manager; `pdpp service install --print --manager systemd` prints a unit to adapt.",
    });
  return SERVICE_MANAGERS[name];
}

async function definitionOf({ values, home }: CommandContext, name: string): Promise<ServiceDefinition> {
  const options = Object.keys(SERVE_OPTIONS).flatMap((option) => {
    const value = values[option];
    if (value === undefined) return [];
    return value === true ? [`--${option}`] : [`--${option}`, String(value)];
  });
  const place = resolve(home);
  const plan = await readPlan(place);
  return describeService({
    name,
    home: place,
    ...(plan === undefined ? {} : { backups: plan.directory }),
    logFile: join(place, "service.log"),
    program: [process.execPath, programOf(import.meta.url)],
    options,
    environment: process.env,
  });
}

/** Finds bin/pdpp.js of this installation, from the build or the sources. */
function programOf(url: string): string {
  let folder = dirname(fileURLToPath(url));
  while (!existsSync(join(folder, "bin", "pdpp.js"))) folder = dirname(folder);
  return join(folder, "bin", "pdpp.js");
}

function install(
  { values, out, note }: CommandContext,
  manager: ServiceManager,
  file: string,
  definition: ServiceDefinition,
): number {
  const rendered = manager.render(definition);
  if (values.print) {
    out(rendered);
    return 0;
  }
  // The unit can write to the home only if the home exists, so it is created here.
  mkdirSync(definition.home, { recursive: true, mode: 0o700 });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, manager.encoding === "utf16le" ? `\ufeff${rendered}` : rendered, { encoding: manager.encoding });
  for (const command of manager.install(definition.name, file)) perform(command);
  out(`Installed ${definition.name} with ${manager.title}: ${file}`);
  note("The setup link of a new home is in its log: pdpp service logs");
  if (manager.afterInstall !== undefined) note(manager.afterInstall);
  return 0;
}

function perform({ words, mayFail }: ServiceCommand): void {
  const [program, ...args] = words;
  const { status, stderr, stdout, error } = spawnSync(program, args, { encoding: "utf8" });
  if (status === 0 || mayFail) return;
  const reason = error === undefined ? (stderr || stdout).trim() : `${program} cannot be started (${error.message})`;
  throw new PdppError("store_unavailable", `the service manager refused: ${reason}`, {
    next_step: `Run ${words.map(quote).join(" ")} yourself to see more, or run \`pdpp serve\` in a terminal meanwhile.`,
  });
}

function checkLog({ logs, withoutLog }: ServiceManager, name: string, logFile: string): void {
  const [program, ...args] = logs(name, logFile, 1).words;
  const env = { ...process.env, LC_ALL: "C" };
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", env });
  const missing = status === 0 ? withoutLog?.(name, { stdout, stderr }) : undefined;
  if (missing !== undefined) throw new PdppError("not_found", missing.message, { next_step: missing.nextStep });
}

function show({ words }: ServiceCommand): number {
  const [program, ...args] = words;
  const { status, error } = spawnSync(program, args, { stdio: ["ignore", "inherit", "inherit"] });
  if (error !== undefined)
    throw new PdppError("store_unavailable", `${program} cannot be started (${error.message})`, {
      next_step: `Check that ${program} is installed and in PATH.`,
    });
  return status ?? 1;
}

const notInstalled = (name: string, file: string): PdppError =>
  new PdppError("not_found", `there is no service ${name}: ${file} does not exist`, {
    next_step: "Install it with `pdpp service install`.",
  });
