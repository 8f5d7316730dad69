// The clients with their exact versions, and how to install them into separate folders.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./command.ts";

/** Each client's packages. After a version change, run `npm run clients` again. */
export const PACKAGES = {
  "Claude Code": { "@anthropic-ai/claude-code": "2.1.325" },
  Codex: { "@openai/codex": "0.166.0" },
  "Gemini CLI": { "@google/gemini-cli": "0.61.0" },
  opencode: { "opencode-ai": "1.18.33" },
  "MCP Inspector": { "@modelcontextprotocol/inspector": "2.12.0" },
  "AI SDK": { ai: "7.0.169", "@ai-sdk/mcp": "2.0.93" },
  "Copilot CLI": { "@github/copilot": "1.0.102" },
  "Qwen Code": { "@qwen-code/qwen-code": "0.24.4" },
  Cline: { cline: "3.0.65" },
  mcporter: { mcporter: "0.12.3" },
  LangChain: { "@langchain/mcp-adapters": "1.1.4", langchain: "1.5.14", "@langchain/core": "1.2.13" },
} as const satisfies Record<string, Record<string, string>>;
export type ClientName = keyof typeof PACKAGES;

/** These packages copy their native binary into place when they are installed. */
const INSTALL_SCRIPTS = ["@anthropic-ai/claude-code", "opencode-ai", "cline"];
const MINUTES = 20;

export async function install(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const dependencies = Object.assign({}, ...Object.values(PACKAGES)) as Record<string, string>;
  if (Object.entries(dependencies).every(([name, version]) => installed(folder, name) === version)) return;
  const allowScripts = Object.fromEntries(INSTALL_SCRIPTS.map((name) => [name, true]));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "clients", private: true, dependencies, allowScripts }),
  );
  const done = await run("npm install --no-audit --no-fund --loglevel=error", {
    cwd: folder,
    env: process.env,
    seconds: MINUTES * 60,
  });
  if (done.code !== 0) throw new Error(`npm install failed:\n${done.stdout}${done.stderr}`);
}

/** Returns the installed version from the package's manifest. */
export function installed(folder: string, name: string): string | undefined {
  const manifest = join(folder, "node_modules", name, "package.json");
  return existsSync(manifest) ? (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version : undefined;
}
