// The checkout: where its files are, what is missing, and how to run tools on its own Node. This file runs on Node 18
// and newer.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const at = (...parts) => join(root, ...parts);

const OWN_NODE = at("node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
const NODE_MAJOR = Number(/\d+/.exec(JSON.parse(readFileSync(at("package.json"), "utf8")).engines.node)[0]);
const CACHE = at("node_modules", ".cache", "postern");
const STAMP = join(CACHE, "built.json");
const EARLIER_MS = 3_600_000;

/** Notes are written to stderr, because stdout belongs to the program. */
export function say(text) {
  process.stderr.write(`postern: ${text}\n`);
}

export function fail(text) {
  say(text);
  process.exit(1);
}

/** Installs what package-lock.json lists, unless it is already installed. */
export function ensureInstalled() {
  const reason = whyInstall();
  if (reason !== undefined) {
    const locked = existsSync(at("package-lock.json"));
    const command = locked ? "ci" : "install";
    say(`${reason}; running npm ${command} (about half a minute)`);
    const done = npm([
      command,
      "--include=dev",
      "--engine-strict=false",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ]);
    if (done !== 0) fail(`npm ${command} failed; see above`);
  }
  ensureNode();
  if (reason !== undefined) say("installed");
}

function whyInstall() {
  if (!existsSync(at("node_modules"))) return "node_modules is missing";
  const installed = packagesIn(at("node_modules", ".package-lock.json"));
  if (installed === undefined) return "node_modules is incomplete";
  const wanted = packagesIn(at("package-lock.json")) ?? {};
  for (const [path, { version, optional }] of Object.entries(wanted)) {
    if (path === "" || (optional && installed[path] === undefined)) continue;
    if (installed[path]?.version !== version)
      return `node_modules is older than package-lock.json (${path.replace("node_modules/", "")})`;
  }
  return undefined;
}

function packagesIn(lockfile) {
  return existsSync(lockfile) ? JSON.parse(readFileSync(lockfile, "utf8")).packages : undefined;
}

/**
 * The package `node` downloads its binary in an install script. If install scripts are disabled, that script is run
 * here.
 */
function ensureNode() {
  if (nodeMajor(OWN_NODE) >= NODE_MAJOR) return;
  say(`downloading Node ${NODE_MAJOR} for this checkout`);
  spawnSync(process.execPath, ["installArchSpecificPackage.js"], {
    cwd: at("node_modules", "node"),
    env: outsideEnvironment(),
    stdio: ["ignore", 2, 2],
  });
  if (nodeMajor(node()) < NODE_MAJOR)
    fail(`Node ${NODE_MAJOR} could not be installed, and this is Node ${process.version}`);
}

function nodeMajor(binary) {
  if (binary !== process.execPath && !existsSync(binary)) return 0;
  return Number(spawnSync(binary, ["--version"], { encoding: "utf8" }).stdout?.slice(1).split(".")[0] ?? 0);
}

/** Returns the checkout's own Node, on which everything runs. */
export function node() {
  return existsSync(OWN_NODE) ? OWN_NODE : process.execPath;
}

/** Runs npm on the machine's Node, because npm cannot replace the Node that it is running on. */
function npm(args) {
  const { npm_execpath: script, npm_node_execpath: runtime } = process.env;
  const direct = script?.endsWith(".js") && runtime !== undefined && !runtime.startsWith(root);
  const [command, first] = direct ? [runtime, [script]] : ["npm", []];
  const shell = !direct && process.platform === "win32";
  return spawnSync(command, [...first, ...args], {
    cwd: root,
    env: outsideEnvironment(),
    stdio: ["ignore", 2, 2],
    shell,
  }).status;
}

/** Returns the environment without the checkout's own commands in PATH. */
function outsideEnvironment() {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const kept = (process.env[name] ?? "").split(delimiter).filter((entry) => !entry.startsWith(root));
  return { ...process.env, [name]: kept.join(delimiter) };
}

/** Builds unless dist was built from exactly these sources; returns true if dist is usable. */
export function buildIfStale() {
  const exists = existsSync(at("dist"));
  if (exists && lastBuild().digest === sourcesDigest()) return true;
  say(`${exists ? "dist is older than src" : "dist is missing"}; building`);
  return build();
}

export function ensureBuilt() {
  if (!buildIfStale()) fail("the build failed; see above");
}

/**
 * Builds into a temporary folder and moves it into place, so that a failed build changes nothing. Types are checked by
 * lint, not here.
 */
export function build({ clean = false } = {}) {
  const digest = sourcesDigest();
  const aside = join(CACHE, `dist-${process.pid}`);
  const before = `${aside}-before`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  try {
    if (run([at("scripts", "bundle.js"), aside]) !== 0) return false;
    // Files that the bundler does not handle: stylesheets, icons and page scripts. The modules that serve them read
    // them from their own folder.
    for (const path of filesIn("src"))
      if (!/\.(ts|md)$|\.fixture\./.test(path)) cpSync(at(path), join(aside, path.slice("src/".length)));
    const chunks = readdirSync(join(aside, "chunks"));
    if (!clean) keepEarlierChunks(chunks, join(aside, "chunks"));
    if (existsSync(at("dist"))) renameSync(at("dist"), before);
    renameSync(aside, at("dist"));
    writeManPage();
    writeFileSync(`${aside}-stamp`, JSON.stringify({ digest, chunks }));
    // Replaces the file instead of overwriting it, because a copy of the checkout may share it through a hard link.
    renameSync(`${aside}-stamp`, STAMP);
    return true;
  } finally {
    for (const folder of [aside, before]) rmSync(folder, { recursive: true, force: true });
  }
}

/** npm links this file to where `man pdpp` finds it. */
function writeManPage() {
  const { status, stdout } = spawnSync(node(), [at("bin", "pdpp.js"), "man"], { encoding: "utf8" });
  if (status === 0) writeFileSync(at("dist", "pdpp.1"), stdout);
}

/** Keeps the previous build's chunks for an hour, so that a running server or test can still load them lazily. */
function keepEarlierChunks(chunks, aside) {
  const earlier = at("dist", "chunks");
  const own = lastBuild().chunks;
  for (const name of existsSync(earlier) ? readdirSync(earlier) : []) {
    const path = join(earlier, name);
    const replaced = own.includes(name) ? new Date() : statSync(path).mtime;
    if (chunks.includes(name) || Date.now() - replaced.getTime() > EARLIER_MS) continue;
    cpSync(path, join(aside, name));
    utimesSync(join(aside, name), replaced, replaced);
  }
}

function lastBuild() {
  return existsSync(STAMP) ? JSON.parse(readFileSync(STAMP, "utf8")) : { digest: undefined, chunks: [] };
}

function sourcesDigest() {
  const digest = createHash("sha256");
  const settings = ["scripts/bundle.js", "tsconfig.json", "package-lock.json"].filter((name) => existsSync(at(name)));
  for (const path of [...settings, ...filesIn("src").sort()]) {
    if (!/\.(test|fixture)\.ts$/.test(path))
      digest
        .update(path)
        .update("\0")
        .update(readFileSync(at(path)))
        .update("\0");
  }
  return digest.digest("hex");
}

/** Returns the paths of all files below a folder of the checkout, relative to the checkout. */
export function filesIn(folder) {
  if (!existsSync(at(folder))) return [];
  return readdirSync(at(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
  });
}

/** Runs an installed package's command on the checkout's Node and returns its exit code. */
export function tool(packageName, command, args) {
  const manifest = JSON.parse(readFileSync(at("node_modules", packageName, "package.json"), "utf8"));
  const bin = typeof manifest.bin === "string" ? manifest.bin : manifest.bin[command];
  return run([at("node_modules", packageName, bin), ...args]);
}

function run(args) {
  return spawnSync(node(), args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).status ?? 1;
}

/**
 * Runs a script on the checkout's Node as if it were this process: forwards signals to the script and exits with its
 * exit code.
 */
export function become(script, args) {
  const child = spawn(node(), [at(script), ...args], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // Ctrl-C in a terminal reaches the whole process group, including the child.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  // npm runs scripts in a shell, and a shell that is terminated does not signal its child. A new parent process is the
  // sign that this happened.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill("SIGTERM");
  }, 500);
  child.on("error", (error) => fail(error.message));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
