// The package as people get it: packed, installed by npm into an empty prefix, and used from there.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../src/surfaces/mcp/tools.ts";
import { registry } from "./registry.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "pdpp-package-"));
const prefix = join(folder, "prefix");
const installed = join(prefix, "lib/node_modules/postern");
const bin = join(installed, "bin/pdpp.js");
const env = { PATH: process.env.PATH!, HOME: folder };
const {
  engines,
  dependencies,
  optionalDependencies = {},
} = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("O-01 the installed package", () => {
  beforeAll(async () => {
    mkdirSync(prefix);
    const packages = await registry(root);
    try {
      const npm = (...args: string[]) =>
        run("npm", [...args, "--loglevel=error", "--cache", join(folder, "cache"), "--registry", packages.url], {
          cwd: folder,
          env,
        });
      await npm("pack", root, "--ignore-scripts");
      const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"))!;
      await npm("install", "--global", "--prefix", prefix, "--omit=optional", "--no-audit", "--no-fund", tarball);
    } finally {
      packages.close();
    }
  });

  it("O-01 takes at most 20 MB, with no package that dist contains already", () => {
    expect(sizeOf(installed)).toBeLessThanOrEqual(20e6);
    const bundled = readFileSync(join(installed, "dist/licenses.txt"), "utf8");
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      expect(bundled).not.toContain(`\n${name} `);
  });

  it("O-01 serves the demo to an app through `pdpp mcp`, and imports a file", async () => {
    const home = join(folder, "home");
    const server = spawn(process.execPath, [bin, "serve", "--demo", "--home", home, "--port", "0"], { env });
    let said = "";
    server.stderr.on("data", (text) => (said += text));
    try {
      const url = await new Promise<string>((resolve, reject) => {
        server.stdout.on("data", (text) => {
          const ready = /^ready (\S+)$/m.exec(text);
          if (ready) resolve(ready[1]!);
        });
        server.once("close", () => reject(new Error(said)));
      });
      const pdpp = (...args: string[]) => run(process.execPath, [bin, ...args, "--home", home], { env });
      const token = (await pdpp("grants", "issue", "--all", "--client-name", "Reader")).stdout.trim();
      const client = new Client({ name: "package", version: "1" });
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [bin, "mcp", "--server", url],
          env: { ...env, PDPP_ACCESS_TOKEN: token },
        }),
      );
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
        TOOLS.map((tool) => tool.definition.name),
      );
      const found = await client.callTool({ name: "search", arguments: { query: '"notice period" landlord' } });
      expect(JSON.stringify(found.content)).toContain("Leaving Leinster Road");
      await client.close();

      const file = join(folder, "trip.ics");
      writeFileSync(
        file,
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\nBEGIN:VEVENT\r\nUID:1@test\r\nDTSTAMP:20260101T000000Z\r\n" +
          "DTSTART:20260704T090000Z\r\nSUMMARY:Ferry to Holyhead\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
      );
      await pdpp("import", file, "--yes");
      expect((await pdpp("search", "Holyhead ferry")).stdout).toContain("Ferry to Holyhead");
    } finally {
      server.kill();
      await once(server, "close");
    }
  });

  it("O-01 says on an older Node which one it needs and where to get it", async () => {
    const older =
      "data:text/javascript,Object.defineProperties(process,{versions:{value:{node:'20.1.0'}},version:{value:'v20.1.0'}})";
    const failed = await run(process.execPath, ["--import", older, bin, "serve"], { env }).catch((error) => error);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("pdpp needs Node 24 or newer; this is v20.1.0");
    expect(failed.stderr).toContain("Install Node 24 from https://nodejs.org/en/download");
    expect(engines.node).toBe(">=24");
    expect(readFileSync(join(root, "README.md"), "utf8")).toContain("Node 24 or newer");
  });
});

function sizeOf(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
