// Patterns for entries that a scan skips. They match names, or paths below the root.
import { compileGlob, type Glob } from "../glob.ts";
import { plainPattern } from "../index-options.ts";
import type { ByteText } from "./messages.ts";

export interface IgnoreRules {
  /** `pathText` is the path of the directory that contains the name, "" for the root. */
  matches(name: ByteText, pathText: () => string): boolean;
}

/** A pattern with a slash matches paths from the root; one without matches names. */
export function ignoreRules(patterns: readonly string[]): IgnoreRules {
  const names: Glob[] = [];
  const paths: Glob[] = [];
  for (const pattern of patterns) {
    const trimmed = plainPattern(pattern);
    if (pattern.startsWith("/") || trimmed.includes("/")) paths.push(compileGlob(trimmed));
    else names.push(compileGlob(trimmed));
  }
  if (patterns.length === 0) return { matches: () => false };
  return {
    matches(name, pathText) {
      const text = Buffer.from(name, "latin1").toString("utf8");
      if (names.some((glob) => glob(text))) return true;
      if (paths.length === 0) return false;
      const above = pathText();
      const path = above === "" ? text : `${above}/${text}`;
      return paths.some((glob) => glob(path));
    },
  };
}
