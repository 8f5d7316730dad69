// A server process that pauses itself (SIGSTOP) right before it removes or renames a certain file. pausing.ts starts
// it.
import { writeFileSync } from "node:fs";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import type { PausingServerOptions } from "./pausing.ts";

const { home, root, database, pauseAt } = JSON.parse(process.argv[2]!) as PausingServerOptions;

if (pauseAt !== undefined) {
  const { operation, path: pattern, marker } = pauseAt;
  const real = files[operation] as (...args: unknown[]) => Promise<void>;
  let paused = false;
  const pausing = async (...args: unknown[]): Promise<void> => {
    // The last path is the one that appears or disappears.
    const path = String(args.findLast((arg) => typeof arg === "string"));
    if (paused || !path.includes(pattern)) return real(...args);
    paused = true;
    writeFileSync(marker, path);
    process.kill(process.pid, "SIGSTOP");
    try {
      await real(...args);
    } finally {
      writeFileSync(marker, "resumed");
    }
  };
  Object.assign(files, { [operation]: pausing });
  syncBuiltinESMExports();
}

// Must be loaded after the patch.
const { startServer } = await import("../../src/main.ts");
const server = await startServer({
  home,
  database,
  objects: { kind: "folder", root },
  port: 0,
  log: (text) => void process.stderr.write(`${text}\n`),
});
process.send!(server.url);
process.once("SIGTERM", async () => {
  await server.close();
  process.disconnect();
});
