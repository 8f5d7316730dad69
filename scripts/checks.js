// The lint checks. Each has a name and a function that returns true if the check passes.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { at, root, say, tool } from "./checkout.js";

/** Git's empty tree; a diff against it covers every file in the repository. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

const CHECKS = {
  types: () => tool("typescript", "tsc", ["--noEmit", "-p", "tsconfig.json"]) === 0,
  knip: (fix) =>
    tool("knip", "knip", ["--no-progress", ...(fix ? ["--fix", "--fix-type", "exports,types"] : [])]) === 0,
  biome: (fix) => tool("@biomejs/biome", "biome", ["check", ...(fix ? ["--write"] : []), "."]) === 0,
  whitespace,
};

/** Runs all checks, even after a failure; returns the names of the checks that passed and failed. */
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

/** Runs `git diff --check` on all committed, staged, changed and new files. */
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
