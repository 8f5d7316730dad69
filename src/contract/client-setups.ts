// The clients that Postern sets up, in one table (E-25, C-09). The docs, the Connect page, `pdpp setup`, install links
// and bundles are derived from it.
import { posix, win32 } from "node:path";
import type { Audience } from "./auth.ts";
import type { JsonObject } from "./json.ts";

/** One of our MCP servers, as a client's settings describe it. */
export interface Gate {
  lens: Audience;
  /** The name of the entry in the client's settings. */
  name: string;
  origin: string;
  url: string;
}

const NAMES: Record<Audience, string> = { records: "pdpp", files: "pdpp-files" };
const PATHS: Record<Audience, string> = { records: "/mcp", files: "/files/mcp" };

/** One line about what each lens lets an app read. */
export const LENS_SUMMARIES: Record<Audience, string> = {
  records: "Your own records (mail, chats, notes, calendar, bank), read-only, as granted",
  files: "Names, sizes and dates of files on your disks, and file contents if granted",
};

export const gateOf = (origin: string, lens: Audience = "records"): Gate => ({
  lens,
  name: NAMES[lens],
  origin,
  url: `${origin}${PATHS[lens]}`,
});

/** The machine that a client runs on. The path of the client's settings file depends on nothing else. */
export interface Machine {
  platform: NodeJS.Platform;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** A program and its arguments, for a client to start. */
export interface Program {
  command: string;
  args: readonly string[];
}

export interface ClientSetup {
  /** The name that `pdpp setup` accepts. */
  id: string;
  name: string;
  /** The client's commands, if it has any. A client counts as installed if one of its commands is on the PATH. */
  programs: readonly string[];
  /** The possible settings files. The first one that exists is used, otherwise the first in the list. */
  files(machine: Machine): readonly string[];
  format: "json" | "toml" | "yaml";
  /** The key in the settings that contains the servers by name. */
  under: string;
  /** `pdpp` is the program that starts pdpp on this machine; only clients that do not accept a URL need it. */
  entry(gate: Gate, pdpp: Program): JsonObject;
  /**
   * With `http`, the client connects to the server's URL and signs in itself. With `stdio`, it starts a program that
   * `pdpp connect` has signed in.
   */
  transport: "http" | "stdio";
  /** The client's own command for adding the server. */
  add?(gate: Gate): string;
  /** A command that signs the client in. */
  signIn?(gate: Gate): string;
  /** Instructions for signing in if there is no command for it. */
  signInWords?(gate: Gate): string;
  /** An install link, in the format that the client's maker documents. */
  link?(gate: Gate): string;
}

const pathOf = ({ platform }: Machine): typeof posix => (platform === "win32" ? win32 : posix);
const inHome = (machine: Machine, ...parts: string[]): string => pathOf(machine).join(machine.home, ...parts);

/** Returns the value of the variable, or the default folder if it is empty or absent. */
const folder = (machine: Machine, variable: string, ...usual: string[]): string =>
  machine.env[variable] || inHome(machine, ...usual);

/** The XDG folder on Linux. Programs that work the same everywhere use it on the other systems too. */
const config = (machine: Machine, ...parts: string[]): string =>
  pathOf(machine).join(folder(machine, "XDG_CONFIG_HOME", ".config"), ...parts);

/** Where desktop programs keep their settings. */
function appData(machine: Machine, ...parts: string[]): string {
  if (machine.platform === "darwin") return inHome(machine, "Library", "Application Support", ...parts);
  if (machine.platform === "win32") return win32.join(folder(machine, "APPDATA", "AppData", "Roaming"), ...parts);
  return config(machine, ...parts);
}

const base64 = (value: JsonObject): string => btoa(JSON.stringify(value));

/** URLSearchParams would write a space as a plus sign, which some link handlers do not decode. */
const query = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");

/** Sources: docs/work/decisions/0036-client-setup-edits-settings-in-place.md. */
export const CLIENTS = [
  {
    id: "claude-code",
    name: "Claude Code",
    programs: ["claude"],
    files: (machine) => [
      machine.env.CLAUDE_CONFIG_DIR
        ? pathOf(machine).join(machine.env.CLAUDE_CONFIG_DIR, ".claude.json")
        : inHome(machine, ".claude.json"),
    ],
    format: "json",
    under: "mcpServers",
    entry: ({ url }) => ({ type: "http", url }),
    transport: "http",
    add: ({ name, url }) => `claude mcp add --transport http ${name} ${url}`,
    signIn: ({ name }) => `claude mcp login ${name}`,
  },
  {
    id: "claude-desktop",
    name: "Claude Desktop",
    programs: [],
    files: (machine) => [appData(machine, "Claude", "claude_desktop_config.json")],
    format: "json",
    under: "mcpServers",
    // The settings file of Claude Desktop accepts only programs. URLs are added as connectors in the app, and must be
    // public.
    entry: ({ lens, origin }, { command, args }) => ({
      command,
      args: [...args, ...(lens === "files" ? ["files"] : []), "mcp", "--server", origin],
    }),
    transport: "stdio",
    signIn: ({ lens, origin }) => `pdpp connect ${origin} --global${lens === "files" ? " --files" : ""}`,
    signInWords: () => "Then quit Claude Desktop and open it again.",
  },
  {
    id: "codex",
    name: "Codex",
    programs: ["codex"],
    files: (machine) => [pathOf(machine).join(folder(machine, "CODEX_HOME", ".codex"), "config.toml")],
    format: "toml",
    under: "mcp_servers",
    entry: ({ url }) => ({ url }),
    transport: "http",
    add: ({ name, url }) => `codex mcp add ${name} --url ${url}`,
    signIn: ({ name }) => `codex mcp login ${name}`,
  },
  {
    id: "gemini",
    name: "Gemini CLI",
    programs: ["gemini"],
    files: (machine) => [pathOf(machine).join(folder(machine, "GEMINI_CLI_HOME"), ".gemini", "settings.json")],
    format: "json",
    under: "mcpServers",
    entry: ({ url }) => ({ url, type: "http" }),
    transport: "http",
    add: ({ name, url }) => `gemini mcp add --transport http ${name} ${url}`,
    signIn: ({ name }) => `gemini -p "/mcp auth ${name}"`,
  },
  {
    id: "vscode",
    name: "VS Code",
    programs: ["code"],
    files: (machine) => [appData(machine, "Code", "User", "mcp.json")],
    format: "json",
    under: "servers",
    entry: ({ url }) => ({ type: "http", url }),
    transport: "http",
    signInWords: ({ name }) =>
      `In VS Code, run MCP: List Servers from the Command Palette, choose ${name} and start it; it opens your browser.`,
    link: ({ name, url }) =>
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: "http", url } satisfies JsonObject))}`,
  },
  {
    id: "cursor",
    name: "Cursor",
    programs: ["cursor"],
    files: (machine) => [inHome(machine, ".cursor", "mcp.json")],
    format: "json",
    under: "mcpServers",
    entry: ({ url }) => ({ url }),
    transport: "http",
    signInWords: ({ name }) =>
      `In Cursor, open Settings, MCP, and choose Connect beside ${name}; it opens your browser.`,
    link: ({ name, url }) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?${query({ name, config: base64({ url }) })}`,
  },
  {
    id: "opencode",
    name: "opencode",
    programs: ["opencode"],
    files: (machine) => [config(machine, "opencode", "opencode.jsonc"), config(machine, "opencode", "opencode.json")],
    format: "json",
    under: "mcp",
    entry: ({ url }) => ({ type: "remote", url }),
    transport: "http",
    add: ({ name, url }) => `opencode mcp add ${name} --url ${url}`,
    signIn: ({ name }) => `opencode mcp auth ${name}`,
  },
  {
    id: "goose",
    name: "Goose",
    programs: ["goose"],
    files: (machine) => [
      machine.platform === "win32"
        ? appData(machine, "Block", "goose", "config", "config.yaml")
        : config(machine, "goose", "config.yaml"),
    ],
    format: "yaml",
    under: "extensions",
    entry: ({ lens, name, url }) => ({
      enabled: true,
      type: "streamable_http",
      name,
      description: LENS_SUMMARIES[lens],
      uri: url,
      timeout: 300,
    }),
    transport: "http",
    signInWords: () => "Start a session with `goose session`; it opens your browser.",
    link: ({ lens, name, url }) =>
      `goose://extension?${query({ url, type: "streamable_http", timeout: "300", id: name, name, description: LENS_SUMMARIES[lens] })}`,
  },
] as const satisfies readonly ClientSetup[];

export type ClientId = (typeof CLIENTS)[number]["id"];

export const clientSetup = (id: ClientId): ClientSetup => CLIENTS.find((client) => client.id === id)!;

/** Shell commands that add the server to a client and sign in. Codex signs in while adding. */
export function shellSetup(id: ClientId, gate: Gate): readonly string[] {
  const { add, signIn } = clientSetup(id);
  return [add?.(gate), id === "codex" ? undefined : signIn?.(gate)].filter((line) => line !== undefined);
}

/** The inspector needs no setup, because it signs in at the first call. */
export const inspectorSetup = ({ url }: Gate): string =>
  `npx @modelcontextprotocol/inspector --cli ${url} --method tools/list`;

/** For any other host: by URL, or as a program that the host starts. */
export const genericSetup = ({ name, url, lens, origin }: Gate) =>
  ({
    http: { mcpServers: { [name]: { type: "http", url } } },
    stdio: {
      mcpServers: {
        [name]: { command: "pdpp", args: [...(lens === "files" ? ["files"] : []), "mcp", "--server", origin] },
      },
    },
  }) as const;
