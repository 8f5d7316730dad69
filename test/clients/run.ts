// npm run clients [-- CLIENT …] [--setup] [--folder DIR] [--list]: installs the clients, runs each against a real server,
// and writes the results. --list prints the packages of each client and runs nothing.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, platform, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { aiSdk } from "./ai-sdk.ts";
import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { run } from "./command.ts";
import { copilotCli } from "./copilot-cli.ts";
import { type Environment, openEnvironment, type Workspace } from "./environment.ts";
import { geminiCli } from "./gemini-cli.ts";
import { inspector } from "./inspector.ts";
import { langchain } from "./langchain.ts";
import { mcporter } from "./mcporter.ts";
import { opencode } from "./opencode.ts";
import { type ClientName, install, installed, PACKAGES } from "./packages.ts";
import { qwenCode } from "./qwen-code.ts";
import { check, opensWith, type Report } from "./report.ts";
import {
  CHECKS,
  type ClientResult,
  DOCS_FILE,
  MARKERS,
  RESULT_FILE,
  type RunResult,
  readResult,
  resultText,
  SETUP_STEPS,
  type SetupResult,
} from "./result.ts";
import { setupResults } from "./setup.ts";
import { here, SETUPS } from "./setups.ts";

const CLIENTS: Record<ClientName, (environment: Environment, workspace: Workspace) => Promise<Report>> = {
  "Claude Code": claudeCode,
  Codex: codex,
  "Gemini CLI": geminiCli,
  opencode,
  "MCP Inspector": inspector,
  "AI SDK": aiSdk,
  "Copilot CLI": copilotCli,
  "Qwen Code": qwenCode,
  Cline: cline,
  mcporter,
  LangChain: langchain,
};

/** With --setup, only the results of `pdpp setup` are updated, and the rest of the last run is kept. */
const { values, positionals } = parseArgs({
  options: { folder: { type: "string" }, setup: { type: "boolean" }, list: { type: "boolean" } },
  allowPositionals: true,
});
const names = (Object.keys(CLIENTS) as ClientName[]).filter(
  (name) => positionals.length === 0 || positionals.some((part) => name.toLowerCase().includes(part.toLowerCase())),
);
if (values.list === true) {
  const packagesOf = (name: ClientName): string[] => Object.entries(PACKAGES[name]).map((pair) => pair.join("@"));
  for (const name of names) process.stdout.write(`${name}: ${packagesOf(name).join(", ")}\n`);
  process.exit(0);
}
const note = (text: string): void => void process.stderr.write(`${text}\n`);
/** A folder given with --folder is kept, and packages already in it are not installed again. */
const packages =
  values.folder === undefined ? mkdtempSync(join(tmpdir(), "postern-clients-npm-")) : resolve(values.folder);

try {
  note(`installing into ${packages}`);
  await install(packages);
  const environment = await openEnvironment(packages);
  const clients: ClientResult[] = [];
  const isWhole = positionals.length === 0;
  let setups: SetupResult[] = [];
  try {
    if (values.setup !== true) for (const name of names) clients.push(await one(name, environment));
    if (isWhole) setups = await setupResults(environment);
  } finally {
    await environment.close();
  }
  if (isWhole) await write(values.setup === true ? { ...readResult(), setups } : { ...thisRun(), clients, setups });
  const failed = [
    ...clients.flatMap(({ client, checks }) =>
      checks.filter(({ outcome }) => outcome === "failed").map(({ name }) => `${client}: ${name}`),
    ),
    ...setups.filter(({ steps }) => !isDeepStrictEqual(steps, SETUP_STEPS)).map(({ client }) => `${client}: setup`),
  ];
  note(failed.length === 0 ? "every client works" : `failed: ${failed.join("; ")}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  if (values.folder === undefined) rmSync(packages, { recursive: true, force: true, maxRetries: 5 });
}

/** On a slow machine some hosts call their model before they have connected, so a failed attempt is retried once. */
async function one(client: ClientName, environment: Environment): Promise<ClientResult> {
  const first = await attempt(client, environment, client);
  return first.checks.every(({ outcome }) => outcome === "ok")
    ? first
    : attempt(client, environment, `${client} again`);
}

async function attempt(client: ClientName, environment: Environment, seatName: string): Promise<ClientResult> {
  note(seatName);
  const workspace = environment.workspace(seatName);
  const { checks, shown } = await CLIENTS[client](environment, workspace).catch((error: Error): Report => {
    return { checks: CHECKS.map((name) => check(name, false, error.message)) };
  });
  for (const { name, outcome, evidence } of checks) note(`  ${name}: ${outcome}. ${evidence}`);
  if (shown !== undefined) note(`  ${JSON.stringify(shown)}`);
  return {
    client,
    packages: Object.fromEntries(Object.keys(PACKAGES[client]).map((name) => [name, installed(packages, name) ?? "?"])),
    commands: SETUPS[client].filter((line) => workspace.lines.includes(here(line, environment.url))),
    opens_with: opensWith(workspace),
    // Ports and folders differ in every run.
    checks: checks.map((found) => ({
      ...found,
      evidence: found.evidence
        .replaceAll(environment.url, "URL")
        .replaceAll(workspace.home, "HOME")
        .replaceAll(workspace.cwd, "."),
    })),
    shown,
    outside: workspace.outside(),
  };
}

function thisRun(): Pick<RunResult, "date" | "node" | "platform"> {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    platform: `${platform()} ${arch()}`,
  };
}

async function write(result: RunResult): Promise<void> {
  writeFileSync(RESULT_FILE, `${JSON.stringify(result, null, 2)}\n`);
  const root = join(import.meta.dirname, "..", "..");
  await run("node_modules/.bin/biome format --write test/clients/result.json", {
    cwd: root,
    env: process.env,
    seconds: 30,
  });
  const [begin, end] = MARKERS;
  const docs = readFileSync(DOCS_FILE, "utf8");
  const [head, rest] = [docs.slice(0, docs.indexOf(begin)), docs.slice(docs.indexOf(end))];
  writeFileSync(DOCS_FILE, `${head}${begin}\n${resultText(result)}\n${rest}`);
}
