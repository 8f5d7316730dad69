#!/usr/bin/env node
// Starts pdpp on Node 24 or newer: on this one, or on the one the checkout brings along.
import { existsSync, readFileSync } from "node:fs";
import * as module from "node:module";
import { constants, homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const own = at("node_modules/node/bin/node");
const needed = Number(/\d+/.exec(JSON.parse(readFileSync(at("package.json"), "utf8")).engines.node)[0]);

if (Number(process.versions.node.split(".")[0]) >= needed) {
  if (process.argv[2] === "serve") limitMemory();
  keepCompiled();
  // A checkout runs from its sources until it is built.
  const cli = existsSync(at("dist/surfaces/cli/cli.js")) ? "../dist/surfaces/cli/cli.js" : "../src/surfaces/cli/cli.ts";
  const { main } = await import(new URL(cli, import.meta.url).href);
  await main(process.argv.slice(2));
} else if (existsSync(own)) {
  const { spawn } = await import("node:child_process");
  const child = spawn(own, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // Ctrl-C reaches the whole group of a terminal: the child has it already, and a second one would end it at once.
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
} else {
  console.error(`pdpp needs Node ${needed} or newer; this is ${process.version}, from ${process.execPath}.`);
  console.error(
    existsSync(at("src"))
      ? "Run `npm install` in this checkout once: it brings its own Node."
      : `Install Node ${needed} from https://nodejs.org/en/download or with your version manager, then install pdpp again as before.`,
  );
  process.exit(1);
}

/**
 * Starts this process again with two settings that are read only at the start (O-09). All threads of the server share one
 * malloc arena: each would get an arena of its own, and memory that it frees there stays with the process, 20 MB in all.
 * The main thread has at most 16 MB for short-lived objects; `setInitialHeapSize` takes the flag back for the other
 * threads. A process that was forked keeps its channel to the parent, which a new start would close.
 */
function limitMemory() {
  const isUseful = process.platform === "linux" && process.env.MALLOC_ARENA_MAX === undefined;
  if (!isUseful || process.execve === undefined || process.connected) return;
  const args = [process.execPath, "--max-semi-space-size=8", ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, { ...process.env, MALLOC_ARENA_MAX: "1" });
}

/**
 * Keeps compiled code for the next command: a short one then takes a quarter less CPU time, a server that starts a sixth.
 * Threads read the folder from the environment. A folder that cannot be written to is no error: everything is compiled again.
 */
function keepCompiled() {
  process.env.NODE_COMPILE_CACHE ||= join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "postern");
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
}
