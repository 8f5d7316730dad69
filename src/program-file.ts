// Finds the entry point of a program that runs as its own thread or process. It is next to the module that starts it,
// both in the sources and in the build.

/**
 * `name` must be a literal, as in `programFile(import.meta.url, "./thread")`, because the build uses it to find modules
 * that stay separate files.
 */
export function programFile(from: string, name: `./${string}` | `../${string}`): URL {
  return new URL(`${name}.${from.endsWith(".ts") ? "ts" : "js"}`, from);
}
