// The recommended setup for each client, word for word as docs/build/clients.md shows it and as it is run (E-25).
import { type ClientId, gateOf, genericSetup, inspectorSetup, shellSetup } from "../../src/contract/client-setups.ts";
import { DEFAULT_ORIGIN } from "../../src/surfaces/cli/default-address.ts";
import type { ClientName } from "./packages.ts";

/** Connects with a grant, for clients that cannot sign in. */
const CONNECT = `pdpp connect ${DEFAULT_ORIGIN} --global`;

const GATE = gateOf(DEFAULT_ORIGIN);
const commands = (id: ClientId) => shellSetup(id, GATE) as readonly [add: string, signIn: string];

/** The setups contain the address from the docs, which each run replaces with its own. */
export const SETUPS = {
  "Claude Code": commands("claude-code"),
  Codex: commands("codex"),
  "Gemini CLI": commands("gemini"),
  opencode: commands("opencode"),
  "MCP Inspector": [inspectorSetup(GATE)],
  "AI SDK": [CONNECT, "PDPP_ACCESS_TOKEN=$(pdpp token) node ask.mjs"],
  "Copilot CLI": [`copilot mcp add --transport http pdpp ${DEFAULT_ORIGIN}/mcp`, "copilot"],
  "Qwen Code": [`qwen mcp add --transport http pdpp ${DEFAULT_ORIGIN}/mcp`, "qwen"],
  Cline: [`cline mcp add pdpp ${DEFAULT_ORIGIN}/mcp --transport http --yes`],
  mcporter: [`mcporter config add pdpp ${DEFAULT_ORIGIN}/mcp --auth oauth`, "mcporter auth pdpp"],
  LangChain: [CONNECT, "PDPP_ACCESS_TOKEN=$(pdpp token) node ask.mjs"],
} as const satisfies Record<ClientName, readonly string[]>;

/** For any other host. */
export const GENERIC = { ...genericSetup(GATE), connect: CONNECT } as const;

/** Returns an excerpt from the docs with this run's address instead of the default one. */
export const here = (text: string, url: string): string => text.replaceAll(DEFAULT_ORIGIN, new URL(url).origin);
