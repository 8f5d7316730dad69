// The package as people get it: packed, installed by npm into an empty prefix, and run from there.
import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../src/surfaces/mcp/tools.ts";
import { blocksOf } from "./documents/blocks.ts";
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

const DOCKERFILE = readFileSync(join(root, "deploy/Dockerfile"), "utf8");

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
      // Installs as deploy/Dockerfile does (O-04), with another prefix and without the steps that need root.
      const [install, ...rest] = dockerRuns().at(-1)!.split(" && ");
      expect(rest.map((step) => step.split(" ")[0])).toEqual(["rm", "mkdir", "chown"]);
      const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"))!;
      const words = install!.replace("/tmp/postern-*.tgz", tarball).split(" ");
      expect(words.slice(0, 3)).toEqual(["npm", "install", "--global"]);
      await npm(...words.slice(1), "--prefix", prefix);
    } finally {
      packages.close();
    }
  });

  it("O-01 takes at most 20 MB, without packages that dist already contains", () => {
    expect(sizeOf(installed)).toBeLessThanOrEqual(20e6);
    const bundled = readFileSync(join(installed, "dist/licenses.txt"), "utf8");
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      expect(bundled).not.toContain(`\n${name} `);
  });

  it("O-01, O-04 serves the demo to an app through `pdpp mcp`, passes the image's health check, and imports a file", async () => {
    const home = join(folder, "home");
    const server = spawn(process.execPath, [bin, "serve", "--demo", "--home", home, "--port", "0"], { env });
    try {
      const printed: string[] = [];
      createInterface(server.stderr).on("line", (line) => printed.push(line));
      const url = await readyAt(server);
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
      // The health check from deploy/Dockerfile, at this port.
      const check = JSON.parse(/^\s*CMD (\[.*fetch.*\])$/m.exec(DOCKERFILE)![1]!) as string[];
      const asked = check.map((word) => word.replace("http://127.0.0.1:7887", url));
      await run(process.execPath, asked.slice(1), { env });
      await expect(
        run(
          process.execPath,
          check.slice(1).map((word) => word.replace("7887", "1")),
          { env },
        ),
      ).rejects.toThrow();
      const lines = printed.map((line) => asInDocuments(line, url));
      expect(lines).toEqual(startOutput("docs/use/tutorial.md"));
      expect(lines).toEqual(expect.arrayContaining(startOutput("README.md")));
      await pdpp("import", file, "--yes");
      expect((await pdpp("search", "Holyhead ferry")).stdout).toContain("Ferry to Holyhead");
    } finally {
      server.kill();
      await once(server, "close");
    }
  });

  it("O-05, O-06 keeps a home through an upgrade, use, a backup, a lost disk and a restore on another machine", async () => {
    const [machine, disk, other] = ["machine", "disk", "other"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const path of [machine, disk, other]) mkdirSync(path);
    const at = (where: string) => ({ PATH: env.PATH, HOME: where, PDPP_BACKUP_PASSPHRASE: "four words are enough" });
    const pdpp = async (where: string, ...args: string[]): Promise<string> =>
      (await run(process.execPath, [bin, ...args], { env: at(where), cwd: where })).stdout;
    // Unpacks a home from an old build. The installed build upgrades it with the first command.
    mkdirSync(join(machine, ".postern"));
    await run("tar", ["-xzf", join(root, "test/upgrade/homes/4-3.tar.gz"), "-C", join(machine, ".postern")]);
    expect(await pdpp(machine, "search", "holyhead")).toContain("n1");
    const pictures = join(machine, "Pictures");
    mkdirSync(pictures);
    writeFileSync(join(pictures, "ferry.txt"), "a file of this machine");
    await pdpp(machine, "files", "roots", "add", pictures);
    const backups = join(disk, "postern");
    await pdpp(machine, "backup", backups, "--encrypt");
    const token = (await pdpp(machine, "grants", "issue", "--all", "--client-name", "Late reader")).trim();
    await pdpp(machine, "backup", backups);
    rmSync(machine, { recursive: true });

    expect(await pdpp(other, "restore", backups, "--check")).toContain("intact");
    const home = join(other, "data");
    await pdpp(other, "restore", backups, "--home", home);
    expect(await pdpp(other, "files", "roots", "--home", home)).toContain("Pictures");
    const server = spawn(process.execPath, [bin, "serve", "--home", home, "--port", "0"], { env: at(other) });
    try {
      const url = await readyAt(server);
      const answer = await fetch(`${url}/v1/search?q=holyhead`, { headers: { Authorization: `Bearer ${token}` } });
      const { data } = (await answer.json()) as { data: { record_key: string }[] };
      expect(data.map(({ record_key }) => record_key)).toEqual(["n1"]);
    } finally {
      server.kill();
      await once(server, "close");
    }
  });

  it("O-01 on an older Node, says which version it needs and where to get it", async () => {
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

/** Returns the commands of the Dockerfile's RUN lines, in order. */
const dockerRuns = (): string[] =>
  [...DOCKERFILE.replaceAll("\\\n", " ").matchAll(/^RUN (.*)$/gm)].map((match) => match[1]!.replace(/\s+/g, " "));

/** The output of `npm start -- --demo` in a document, from the moment when the home is filled. */
function startOutput(path: string): string[] {
  const commands = blocksOf(path).flatMap((block) => block.commands);
  const lines = commands.find(({ text }) => text.startsWith("npm start"))?.output ?? [];
  return lines
    .slice(lines.findIndex((line) => line.startsWith("Filling ")))
    .filter((line) => !/^(?:$|ready| {2}…)/.test(line))
    .map((line) => asInDocuments(line, "http://127.0.0.1:7887"));
}

const asInDocuments = (line: string, url: string): string =>
  line
    .replace(` --url ${url}`, "")
    .replaceAll(url, "URL")
    .replace(/code=[\w-]+/, "code=CODE")
    .replace(/in [\d.]+ s\./, "in N s.");

function readyAt(server: ChildProcessWithoutNullStreams): Promise<string> {
  let said = "";
  server.stderr.on("data", (text) => (said += text));
  return new Promise((resolve, reject) => {
    server.stdout.on("data", (text) => {
      const ready = /^ready (\S+)$/m.exec(text);
      if (ready) resolve(ready[1]!);
    });
    server.once("close", () => reject(new Error(said)));
  });
}

function sizeOf(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
