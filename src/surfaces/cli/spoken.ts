// Rewrites the engine's next steps, which mention routes and parameters, for people at a terminal.
import { parseHandle } from "../../contract/handle.ts";
import { type CommandContext, list } from "./command.ts";
import { fileCommands } from "./files/spoken.ts";
import { nextCommand } from "./next-command.ts";

/** The command that failed. If its arguments did not parse, only part of this is known. */
export interface CalledCommand {
  name: string;
  values: CommandContext["values"];
  positionals: readonly string[];
}

/** Commands for routes. Query parameters without an option are omitted. */
const ROUTES: readonly [path: RegExp, words: (match: RegExpExecArray) => string[]][] = [
  [/^GET \/v1\/schema$/, () => ["schema"]],
  [/^GET \/v1\/streams\/([^/]+)\/records$/, (match) => ["query", decodeURIComponent(match[1]!)]],
  [/^GET \/v1\/export(?:\/info)?$/, () => ["export"]],
  [/^GET \/v1\/search$/, () => ["search", "WORDS"]],
  [/^GET \/v1\/grants$/, () => ["grants", "list"]],
  [/^GET \/v1\/activity$/, () => ["activity"]],
  [/^GET \/v1\/connections$/, () => ["connections"]],
  [/^POST \/v1\/connections$/, () => ["connections", "create", "CONNECTOR"]],
  [/^GET \/v1\/connectors$/, () => ["connectors"]],
  [/^GET \/v1\/runs\/([^/]+)$/, (match) => ["connectors", "show", match[1]!]],
  [/^POST \/v1\/runs\/([^/]+)\/cancel$/, (match) => ["connectors", "cancel", match[1]!]],
  [/^GET \/v1\/connections\/ID\/runs$/, () => ["connectors", "show", "ID"]],
  [/^PUT \/v1\/connectors\/KEY$/, () => ["connectors", "add", "FILE"]],
];

const OPTIONS: Record<string, string> = {
  changes_since: "changes-since",
  connection_id: "connection",
  cursor: "cursor",
  limit_chars: "limit",
  offset_chars: "offset",
  revision: "revision",
  "streams[]": "stream",
};

export function spoken(step: string, called: CalledCommand): string {
  const stream = streamOf(called);
  return (called.name === "files" ? fileCommands(step) : step)
    .replace(/(GET [^\s(]+) \(or `pdpp [^`]+`\)/g, "$1")
    .replace(/\bCall (?=GET )/g, "Run ")
    .replace(/\b(?:GET|POST|PUT) \/[^\s,;:)]*[^\s,;:).]/g, (route) => commandFor(route, called, stream) ?? route)
    .replace(/ \(expand_capabilities\)/g, "")
    .replace(/(?<![\w-])q out\b/g, "--around out")
    .replace(/(?<![\w-])([a-z_]+(?:\[\])?)=(\w+)/g, (pair, name: string, value: string) =>
      Object.hasOwn(OPTIONS, name) ? `--${OPTIONS[name]} ${value}` : pair,
    )
    .replace(/(?<![\w-])(changes_since|connection_id|offset_chars|limit_chars)\b/g, (name) => `--${OPTIONS[name]}`);
}

function commandFor(route: string, called: CalledCommand, stream: string | undefined): string | undefined {
  const [path, query = ""] = route.split("?");
  if (path === "GET /openapi.json") return `\`pdpp ${called.name} --help\``;
  for (const [pattern, words] of ROUTES) {
    const match = pattern.exec(path!);
    if (match === null) continue;
    const parameters = new URLSearchParams(query);
    const positionals = parameters.getAll("stream").map((name) => (name === "STREAM" ? (stream ?? name) : name));
    const options = Object.fromEntries(
      [...parameters].flatMap(([name, value]) => (Object.hasOwn(OPTIONS, name) ? [[OPTIONS[name], value]] : [])),
    );
    if (parameters.get("detail") === "full") options.full = true;
    return `\`${nextCommand(called, [...words(match), ...positionals], options)}\``;
  }
  return undefined;
}

/** Returns the requested stream, if the command line contains one. */
function streamOf({ name, positionals, values }: CalledCommand): string | undefined {
  if (name === "search") return list(values, "stream")?.[0];
  const first = positionals[0];
  if (first === undefined) return undefined;
  if (["query", "aggregate", "schema", "ingest"].includes(name)) return first;
  if (name === "export" && !first.startsWith("pdpp://")) return first;
  if (name !== "fetch" && name !== "read") return undefined;
  try {
    const handle = parseHandle(first);
    return "stream" in handle ? handle.stream : undefined;
  } catch {
    return undefined;
  }
}
