// Parses paths that people and agents type, absolute inside a root or relative to it, into names from the root down.
import { PdppError } from "../contract/errors.ts";

const PATH_MAX = 65_536;

/** `..` goes up, but never above the root. Refuses an absolute path that leaves the root. */
export function namesUnder(root: string, path: string): string[] {
  if (path.length > PATH_MAX || path.includes("\0"))
    throw new PdppError("invalid_request", "this is not a path", {
      param: "path",
      next_step: `Pass a path below ${root}.`,
    });
  const names: string[] = [];
  for (const name of (path.startsWith("/") ? insideOf(root, path) : path).split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) throw outside(root, path);
  }
  return names;
}

function insideOf(root: string, path: string): string {
  // Resolve the path first: /data/../etc is /etc.
  const parts: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") parts.pop();
    else if (name !== "" && name !== ".") parts.push(name);
  }
  const plain = `/${parts.join("/")}`;
  if (root === "/" || plain === root) return plain.slice(root === "/" ? 1 : root.length);
  if (plain.startsWith(`${root}/`)) return plain.slice(root.length + 1);
  throw outside(root, path);
}

function outside(root: string, path: string): PdppError {
  return new PdppError("root_not_allowed", `${JSON.stringify(path.slice(0, 200))} is outside this root`, {
    param: "path",
    next_step: `Stay below ${root}, or call GET /api/roots to see the other approved roots.`,
  });
}
