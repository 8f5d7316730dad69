// The five tools, in the order in which an agent uses them. The list is the same for every caller, and frozen.
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { aggregate } from "./aggregate.ts";
import { fetch } from "./fetch.ts";
import { queryRecords } from "./query-records.ts";
import { schema } from "./schema.ts";
import { search } from "./search.ts";
import type { Tool } from "./tool.ts";

export const TOOLS: readonly Tool[] = [schema, queryRecords, aggregate, search, fetch];

/** The tools only read this server's own data, and can be called repeatedly. */
const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

export function listed(tools: readonly Tool[]): ListedTool[] {
  return tools.map(({ definition }) => Object.freeze({ ...definition, annotations: ANNOTATIONS }) as ListedTool);
}
