// The gate over stdin and stdout, for one client, until it hangs up.
import { once } from "node:events";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { gate } from "./gate.ts";
import { serverFactory } from "./server.ts";
import type { ToolContext } from "./tool.ts";

export async function serveGateOnStdio(context: ToolContext, note: (text: string) => void): Promise<void> {
  const make = serverFactory(
    gate((error) => note(error instanceof Error ? (error.stack ?? error.message) : String(error))),
  );
  const handle = serveStdio(() => make(context));
  await once(process.stdin, "close");
  await handle.close();
}
