// The table of clients: where each client stores its settings on three systems, what is written there, and the install
// links.
import { describe, expect, it } from "vitest";
import { CLIENTS, type ClientId, clientSetup, gateOf, type Machine } from "./client-setups.ts";

const LINUX: Machine = { platform: "linux", home: "/home/nora", env: {} };
const MAC: Machine = { platform: "darwin", home: "/Users/nora", env: {} };
const WINDOWS: Machine = {
  platform: "win32",
  home: "C:\\Users\\nora",
  env: { APPDATA: "C:\\Users\\nora\\AppData\\Roaming" },
};
const ORIGIN = "http://127.0.0.1:7887";
const PDPP = { command: "/usr/bin/node", args: ["/usr/bin/pdpp"] };

describe("C-09 settings files", () => {
  it.each<[ClientId, string, string, string]>([
    ["claude-code", "/home/nora/.claude.json", "/Users/nora/.claude.json", "C:\\Users\\nora\\.claude.json"],
    [
      "claude-desktop",
      "/home/nora/.config/Claude/claude_desktop_config.json",
      "/Users/nora/Library/Application Support/Claude/claude_desktop_config.json",
      "C:\\Users\\nora\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
    ],
    [
      "codex",
      "/home/nora/.codex/config.toml",
      "/Users/nora/.codex/config.toml",
      "C:\\Users\\nora\\.codex\\config.toml",
    ],
    [
      "gemini",
      "/home/nora/.gemini/settings.json",
      "/Users/nora/.gemini/settings.json",
      "C:\\Users\\nora\\.gemini\\settings.json",
    ],
    [
      "vscode",
      "/home/nora/.config/Code/User/mcp.json",
      "/Users/nora/Library/Application Support/Code/User/mcp.json",
      "C:\\Users\\nora\\AppData\\Roaming\\Code\\User\\mcp.json",
    ],
    ["cursor", "/home/nora/.cursor/mcp.json", "/Users/nora/.cursor/mcp.json", "C:\\Users\\nora\\.cursor\\mcp.json"],
    [
      "opencode",
      "/home/nora/.config/opencode/opencode.jsonc",
      "/Users/nora/.config/opencode/opencode.jsonc",
      "C:\\Users\\nora\\.config\\opencode\\opencode.jsonc",
    ],
    [
      "goose",
      "/home/nora/.config/goose/config.yaml",
      "/Users/nora/.config/goose/config.yaml",
      "C:\\Users\\nora\\AppData\\Roaming\\Block\\goose\\config\\config.yaml",
    ],
  ])("C-09 are found for %s on Linux, macOS and Windows", (id, linux, mac, windows) => {
    const { files } = clientSetup(id);
    expect([LINUX, MAC, WINDOWS].map((machine) => files(machine)[0])).toEqual([linux, mac, windows]);
  });

  it("C-09 cover every client that the requirement lists", () => {
    expect(CLIENTS.map(({ id }) => id)).toEqual([
      "claude-code",
      "claude-desktop",
      "codex",
      "gemini",
      "vscode",
      "cursor",
      "opencode",
      "goose",
    ]);
  });

  it.each<[ClientId, Record<string, string>, string]>([
    ["claude-code", { CLAUDE_CONFIG_DIR: "/etc/claude" }, "/etc/claude/.claude.json"],
    ["codex", { CODEX_HOME: "/etc/codex" }, "/etc/codex/config.toml"],
    ["gemini", { GEMINI_CLI_HOME: "/srv" }, "/srv/.gemini/settings.json"],
    ["opencode", { XDG_CONFIG_HOME: "/srv/config" }, "/srv/config/opencode/opencode.jsonc"],
    ["goose", { XDG_CONFIG_HOME: "/srv/config" }, "/srv/config/goose/config.yaml"],
    ["vscode", { XDG_CONFIG_HOME: "" }, "/home/nora/.config/Code/User/mcp.json"],
  ])("C-09 are found for %s if the environment variables are %j", (id, env, path) => {
    expect(clientSetup(id).files({ ...LINUX, env })[0]).toBe(path);
  });

  it("C-09 are in the default location on Windows if APPDATA is not set", () => {
    expect(clientSetup("vscode").files({ ...WINDOWS, env: {} })[0]).toBe(
      "C:\\Users\\nora\\AppData\\Roaming\\Code\\User\\mcp.json",
    );
  });
});

describe("C-09 entries", () => {
  it.each(CLIENTS.map(({ id }) => id))("C-09 for %s include the lens and contain no secret", (id) => {
    const client = clientSetup(id);
    const [records, files] = [gateOf(ORIGIN), gateOf(ORIGIN, "files")];
    expect([records.name, files.name]).toEqual(["pdpp", "pdpp-files"]);
    const [one, other] = [client.entry(records, PDPP), client.entry(files, PDPP)].map((entry) => JSON.stringify(entry));
    if (client.transport === "http") {
      expect(one).toContain(`"${ORIGIN}/mcp"`);
      expect(other).toContain(`"${ORIGIN}/files/mcp"`);
    } else {
      expect(one).toContain(`["/usr/bin/pdpp","mcp","--server","${ORIGIN}"]`);
      expect(other).toContain(`["/usr/bin/pdpp","files","mcp","--server","${ORIGIN}"]`);
    }
    expect(one! + other!).not.toMatch(/token|authorization|header|password/i);
  });

  it("C-09 come with sign-in instructions for every client", () => {
    for (const { signIn, signInWords } of CLIENTS as readonly ReturnType<typeof clientSetup>[])
      expect(signIn ?? signInWords).toBeDefined();
  });
});

describe("C-09 install links", () => {
  const files = gateOf(ORIGIN, "files");

  it("C-09 contain the entry as URL-encoded JSON for VS Code", () => {
    const link = clientSetup("vscode").link!(files);
    expect(link).toMatch(/^vscode:mcp\/install\?%7B/);
    expect(JSON.parse(decodeURIComponent(link.slice("vscode:mcp/install?".length)))).toEqual({
      name: "pdpp-files",
      type: "http",
      url: `${ORIGIN}/files/mcp`,
    });
  });

  it("C-09 contain the entry as base64 for Cursor", () => {
    const { protocol, host, pathname, searchParams } = new URL(clientSetup("cursor").link!(files));
    expect([protocol, host, pathname]).toEqual(["cursor:", "anysphere.cursor-deeplink", "/mcp/install"]);
    expect(searchParams.get("name")).toBe("pdpp-files");
    expect(JSON.parse(atob(searchParams.get("config")!))).toEqual({ url: `${ORIGIN}/files/mcp` });
  });

  it("C-09 contain the address and type as parameters for Goose, with spaces as %20", () => {
    const link = clientSetup("goose").link!(files);
    expect(link).not.toContain("+");
    const { protocol, host, searchParams } = new URL(link);
    expect([protocol, host]).toEqual(["goose:", "extension"]);
    expect(Object.fromEntries(searchParams)).toEqual({
      url: `${ORIGIN}/files/mcp`,
      type: "streamable_http",
      timeout: "300",
      id: "pdpp-files",
      name: "pdpp-files",
      description: expect.stringContaining("disks"),
    });
  });
});
