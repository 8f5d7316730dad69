// The entry point of a program that runs as its own thread or process: beside the module that starts it, in the sources
// as well as in the build.

/**
 * `name` is a literal, as in `programFile(import.meta.url, "./thread")`: the build uses it to find modules that stay
 * separate files.
 */
export function programFile(from: string, name: `./${string}` | `../${string}`): URL {
  return new URL(`${name}.${from.endsWith(".ts") ? "ts" : "js"}`, from);
}
