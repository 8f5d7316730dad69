// The one recommended setup for each client, word for word as docs/clients.md shows it and as it is run (E-25).
import { DEFAULT_ORIGIN } from "../../src/surfaces/cli/default-address.ts";
import type { ClientName } from "./packages.ts";

/** The address in the docs; runs put theirs in its place. */
const DOCUMENTED_URL = `${DEFAULT_ORIGIN}/mcp`;
/** A grant for what cannot sign in by itself. */
const CONNECT = `pdpp connect ${DEFAULT_ORIGIN} --global`;

export const SETUPS = {
  "Claude Code": [`claude mcp add --transport http pdpp ${DOCUMENTED_URL}`, "claude mcp login pdpp"],
  Codex: [`codex mcp add pdpp --url ${DOCUMENTED_URL}`],
  "Gemini CLI": [`gemini mcp add --transport http pdpp ${DOCUMENTED_URL}`, 'gemini -p "/mcp auth pdpp"'],
  opencode: [`opencode mcp add pdpp --url ${DOCUMENTED_URL}`, "opencode mcp auth pdpp"],
  "MCP Inspector": [`npx @modelcontextprotocol/inspector --cli ${DOCUMENTED_URL} --method tools/list`],
  "AI SDK": [CONNECT, "PDPP_ACCESS_TOKEN=$(pdpp token) node ask.mjs"],
} as const satisfies Record<ClientName, readonly string[]>;

/** Any other host: by address, or as a program it starts. */
export const GENERIC = {
  http: { mcpServers: { pdpp: { type: "http", url: DOCUMENTED_URL } } },
  stdio: { mcpServers: { pdpp: { command: "pdpp", args: ["mcp", "--server", DEFAULT_ORIGIN] } } },
  connect: CONNECT,
} as const;

/** A documented text with the address of this run. */
export const here = (text: string, url: string): string => text.replaceAll(DEFAULT_ORIGIN, new URL(url).origin);
