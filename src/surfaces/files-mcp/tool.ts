// A tool of the file shell: its definition, its effect, and a handler that returns both halves of a result.
import type { FileShell } from "../../contract/file-shell.ts";
import type { JsonObject } from "../../contract/record.ts";
import type { ToolDefinition, ToolResult } from "../mcp/tool.ts";

export interface ShellContext {
  shell: FileShell;
  /** The server's origin, for links. */
  origin: string;
  requestId?: string;
}

export interface ShellTool {
  definition: ToolDefinition;
  /**
   * `reads` changes only the session's current directory. `makes` adds to the stored state. Files are never changed.
   */
  does: "reads" | "makes" | "removes";
  run(context: ShellContext, args: JsonObject): Promise<ToolResult>;
}
