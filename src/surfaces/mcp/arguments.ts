// Parses tool arguments. They must be known, complete and of the right type. Otherwise the call is refused, and the
// error contains a corrected call.
import type { z } from "zod";
import { firstIssue } from "../../contract/issue.ts";
import type { JsonObject, JsonValue } from "../../contract/record.ts";
import { correctedFilter, filterFault } from "./filter-argument.ts";
import { ToolError } from "./next-step.ts";
import { callText } from "./tool.ts";

/** Common wrong names for our arguments. They are refused, with a corrected call. */
const MEANT: Readonly<Record<string, string>> = { connector_instance_id: "connection_id" };

/**
 * Names that REST and the reference tools use. They are accepted but not listed, because one name is enough to learn
 * (C-08).
 */
const ALIASES: Readonly<Record<string, string>> = { q: "query" };

/** `filter` is a record filter unless the tool has its own. */
export function parseArguments<S extends z.ZodObject>(
  tool: string,
  schema: S,
  args: JsonObject,
  { recordFilter = Object.hasOwn(schema.shape, "filter") } = {},
): z.infer<S> {
  // Hosts with strict schemas send null for omitted arguments.
  const given = Object.fromEntries(
    Object.entries(args)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [ownName(schema, args, name), value]),
  );
  const refuse = (code: "invalid_request" | "invalid_filter", message: string, param: string, hint = ""): ToolError =>
    new ToolError(code, message, {
      param,
      next_step: `${hint}Call ${callText(tool, corrected(schema, given, recordFilter))}.`,
    });

  const known = Object.keys(schema.shape);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    if (recordFilter && unknown.startsWith("filter["))
      throw refuse(
        "invalid_filter",
        `filter is one object, not an argument called ${JSON.stringify(unknown.slice(0, 100))}`,
        unknown,
      );
    const meant = Object.hasOwn(MEANT, unknown) ? MEANT[unknown]! : undefined;
    const hint =
      meant !== undefined && known.includes(meant) ? `Use ${meant} instead. ` : `${tool} takes ${known.join(", ")}. `;
    throw refuse("invalid_request", `there is no argument ${JSON.stringify(unknown.slice(0, 100))}`, unknown, hint);
  }
  const fault = recordFilter ? filterFault(given.filter) : undefined;
  if (fault !== undefined) throw refuse("invalid_filter", fault, "filter");
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = firstIssue(parsed.error);
  const param = String(issue.path[0] ?? "");
  const missing = !Object.hasOwn(given, param);
  throw refuse(
    param === "filter" ? "invalid_filter" : "invalid_request",
    missing ? `${param} is missing` : `${issue.path.join(".")}: ${issue.message}`,
    param,
  );
}

function ownName(schema: z.ZodObject, args: JsonObject, name: string): string {
  const own = Object.hasOwn(ALIASES, name) ? ALIASES[name]! : name;
  return Object.hasOwn(schema.shape, own) && (args[own] ?? null) === null ? own : name;
}

/**
 * Returns the same call with mistakes corrected where possible. Other invalid arguments are omitted, or replaced by a
 * placeholder if they are required.
 */
function corrected(schema: z.ZodObject, given: JsonObject, recordFilter: boolean): JsonObject {
  const call: JsonObject = {};
  const filter = correctedFilter(given);
  for (const [name, member] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    const meant = Object.entries(MEANT).find(([wrong, right]) => right === name && Object.hasOwn(given, wrong));
    const value = name === "filter" && recordFilter ? filter : (given[name] ?? (meant && given[meant[0]]));
    const candidates = value === undefined ? [] : [value, ...mended(value)];
    const fitting = candidates.find((candidate) => member.safeParse(candidate).success);
    if (fitting !== undefined) call[name] = fitting;
    else if (!member.safeParse(undefined).success) call[name] = name.toUpperCase();
  }
  return call;
}

function mended(value: JsonValue): JsonValue[] {
  if (typeof value === "number" || typeof value === "boolean") return [String(value)];
  if (typeof value !== "string") return [];
  const list = value
    .replace(/^\[|\]$/g, "")
    .split(",")
    .map((item) => item.trim().replace(/^"|"$/g, ""));
  return [...(/^\d{1,9}$/.test(value) ? [Number(value)] : []), list.filter((item) => item !== "")];
}
