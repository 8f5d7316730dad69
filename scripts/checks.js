// The checks of lint, each a name and a function that returns whether it passes.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { at, root, say, tool } from "./checkout.js";

/** Compares every file of the repository with nothing. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

const CHECKS = {
  types: () => tool("typescript", "tsc", ["--noEmit", "-p", "tsconfig.json"]) === 0,
  knip: (fix) =>
    tool("knip", "knip", ["--no-progress", ...(fix ? ["--fix", "--fix-type", "exports,types"] : [])]) === 0,
  biome: (fix) => tool("@biomejs/biome", "biome", ["check", ...(fix ? ["--write"] : []), "."]) === 0,
  whitespace,
};

/** Runs all checks, even after one failed; returns the names of those that passed and failed. */
export function runChecks({ fix = false } = {}) {
  const passed = [];
  const failed = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    const holds = check(fix);
    (holds ? passed : failed).push(name);
    say(`${name} ${holds ? "ok" : "FAILED"}`);
  }
  return { passed, failed };
}

/** `git diff --check` over everything committed, staged, changed or new. */
function whitespace() {
  if (!existsSync(at(".git"))) return true;
  const tracked = git(["diff", "--check", EMPTY_TREE]);
  const created = git(["ls-files", "--others", "--exclude-standard", "-z"]).split("\0").filter(Boolean);
  const fresh = created.map((path) => git(["diff", "--no-index", "--check", "/dev/null", path]));
  const found = [tracked, ...fresh].join("");
  process.stdout.write(found);
  return found === "";
}

function git(args) {
  const { stdout, error } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  // Without git there is nothing to compare with.
  return error === undefined ? stdout : "";
}
