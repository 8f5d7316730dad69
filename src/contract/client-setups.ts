// The one recommended setup for each client (E-25): what the docs, the dashboard and llms.txt show, and what is run against the real ones.

/** Commands that sign a client in at the server of this origin. */
export const clientSetups = (origin: string) =>
  ({
    "Claude Code": [`claude mcp add --transport http pdpp ${origin}/mcp`, "claude mcp login pdpp"],
    Codex: [`codex mcp add pdpp --url ${origin}/mcp`],
    "Gemini CLI": [`gemini mcp add --transport http pdpp ${origin}/mcp`, 'gemini -p "/mcp auth pdpp"'],
    opencode: [`opencode mcp add pdpp --url ${origin}/mcp`, "opencode mcp auth pdpp"],
    "MCP Inspector": [`npx @modelcontextprotocol/inspector --cli ${origin}/mcp --method tools/list`],
  }) as const;

/** Any other host: by address, or as a program it starts. */
export const genericSetup = (origin: string) =>
  ({
    http: { mcpServers: { pdpp: { type: "http", url: `${origin}/mcp` } } },
    stdio: { mcpServers: { pdpp: { command: "pdpp", args: ["mcp", "--server", origin] } } },
  }) as const;
