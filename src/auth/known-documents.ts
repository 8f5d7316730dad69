// Metadata documents of known apps, so that they can sign in even if their own address cannot be reached (C-02,
// decision 0030). Each entry contains the fields that we use from the published document; decision 0030 lists the
// sources. An app is listed only if its redirect addresses are known from such a source.

export interface KnownDocument {
  client_name: string;
  redirect_uris: readonly string[];
}

export const KNOWN_DOCUMENTS: Readonly<Record<string, KnownDocument>> = {
  "https://claude.ai/oauth/claude-code-client-metadata": {
    client_name: "Claude Code",
    redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
  },
  "https://claude.ai/oauth/mcp-oauth-client-metadata": {
    client_name: "Claude",
    redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
  },
  "https://chatgpt.com/oauth/client.json": {
    client_name: "ChatGPT",
    redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
  },
  "https://chatgpt.com/oauth/codex/client.json": {
    client_name: "Codex",
    redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
  },
  "https://github.com/copilot/cli/client-metadata.json": {
    client_name: "GitHub Copilot CLI",
    redirect_uris: ["http://127.0.0.1/callback"],
  },
  "https://vscode.dev/oauth/client-metadata.json": {
    client_name: "Visual Studio Code",
    redirect_uris: ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
  },
  "https://opencode.ai/oauth/opencode/client.json": {
    client_name: "opencode",
    redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
  },
  "https://zed.dev/oauth/client-metadata.json": {
    client_name: "Zed",
    redirect_uris: ["http://127.0.0.1/callback"],
  },
};
