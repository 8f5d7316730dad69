// A tool of the file shell: its definition, its effects, and a run to both halves of a result.
import type { FileShell } from "../../contract/file-shell.ts";
import type { JsonObject } from "../../contract/record.ts";
import type { ToolDefinition, ToolResult } from "../mcp/tool.ts";

export interface ShellContext {
  shell: FileShell;
  /** Of this server, for links. */
  origin: string;
  requestId?: string;
}

export interface ShellTool {
  definition: ToolDefinition;
  /** reads: changes nothing but where the session stands. makes: adds to what is remembered here. Files are never changed. */
  does: "reads" | "makes" | "removes";
  run(context: ShellContext, args: JsonObject): Promise<ToolResult>;
}
