// `expand` is sent only if the current schema offers it (F-05).
import type { ReadClient } from "../../contract/read-client.ts";
import type { StreamMetadata } from "../../contract/schema-document.ts";
import { ToolError } from "./next-step.ts";
import { callText } from "./tool.ts";

interface Expanding {
  stream: string;
  connection_id?: string;
  expand?: string[];
  expand_limit?: Record<string, number>;
}

/**
 * Refuses the call before records are read. If the schema cannot be read, the call is passed on to the resource server,
 * which accepts or refuses it.
 */
export async function requireExpandable(client: ReadClient, query: Expanding): Promise<void> {
  const { stream, connection_id, expand, expand_limit } = query;
  if (expand === undefined && expand_limit === undefined) return;
  const document = await client.schema({ stream, connection_id }).catch(() => undefined);
  const rows = document?.connectors.flatMap(({ streams }) => streams as StreamMetadata[]) ?? [];
  if (rows.length === 0 || rows.some((row) => row.expand_capabilities.length > 0)) return;
  throw new ToolError(
    "invalid_expand",
    `${stream} has no relation to expand; see GET /v1/schema (expand_capabilities)`,
    {
      param: expand === undefined ? "expand_limit" : "expand",
      next_step: `Omit expand and expand_limit;  ${callText("schema", { stream, connection_id })} shows what the stream offers.`,
    },
  );
}
