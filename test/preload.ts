// Compiles a C library that LD_PRELOAD loads into a process, to log its system calls or make them fail.
import { spawnSync } from "node:child_process";
import { basename, join } from "node:path";

/** Returns the path of the library. */
export function compilePreload(source: string, folder: string): string {
  const library = join(folder, basename(source).replace(/\.c$/, ".so"));
  const { error, status } = spawnSync("gcc", ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl", "-lpthread"], {
    stdio: "inherit",
  });
  if (error !== undefined || status !== 0)
    throw new Error(
      "this needs gcc and glibc on Linux: install gcc (Debian: apt install gcc libc6-dev) and run it again",
    );
  return library;
}
