// Where a program of ours begins that runs as a thread or process of its own: beside the module that starts it, in the sources as in the build.

/** `name` is a literal, as in `programFile(import.meta.url, "./thread")`: what the build keeps as files of their own is found by it. */
export function programFile(from: string, name: `./${string}` | `../${string}`): URL {
  return new URL(`${name}.${from.endsWith(".ts") ? "ts" : "js"}`, from);
}
