// Serves the file shell over stdin and stdout to one client, until it disconnects.

import { serverFactory } from "../mcp/server.ts";
import { serveOnStdio } from "../mcp/stdio.ts";
import { shellGate } from "./gate.ts";
import type { ShellContext } from "./tool.ts";

export async function serveShellOnStdio(context: ShellContext, note: (text: string) => void): Promise<void> {
  const make = serverFactory(
    shellGate((error) => note(error instanceof Error ? (error.stack ?? error.message) : String(error))),
  );
  await serveOnStdio(() => make(context), note);
}
