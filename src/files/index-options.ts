// Options for walking a root, validated and normalised so that equal options always select the same index.
import { PdppError } from "../contract/errors.ts";
import type { IndexOptions } from "../contract/files.ts";
import { compileGlob } from "./glob.ts";

const IGNORE_MAX = 100;
const DEPTH_MAX = 10_000;

/** Removes options that have their default value. */
export function plainOptions(options: IndexOptions = {}): IndexOptions {
  const { depthLimit, followSymlinks, ignore = [] } = options;
  if (depthLimit !== undefined && !(Number.isInteger(depthLimit) && depthLimit >= 1 && depthLimit <= DEPTH_MAX))
    throw invalid("depthLimit", `depthLimit must be a whole number from 1 to ${DEPTH_MAX}`);
  if (ignore.length > IGNORE_MAX) throw invalid("ignore", `ignore can have at most ${IGNORE_MAX} patterns`);
  for (const pattern of ignore) compileGlob(plainPattern(pattern));
  return {
    ...(depthLimit === undefined ? {} : { depthLimit }),
    ...(followSymlinks ? { followSymlinks } : {}),
    ...(ignore.length === 0 ? {} : { ignore: [...new Set(ignore)].sort() }),
  };
}

/** Slashes around a pattern only mark it as a path pattern. "/" alone would exclude only the root. */
export const plainPattern = (pattern: string): string => pattern.replace(/^\/|\/$/g, "");

const invalid = (param: string, message: string): PdppError => new PdppError("invalid_request", message, { param });
