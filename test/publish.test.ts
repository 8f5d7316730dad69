// Files for registries, bundles and agents are generated from the tables, are valid for each format, and work.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { unpackExtension, v0_3 } from "@anthropic-ai/mcpb";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { CLIENTS } from "../src/contract/client-setups.ts";
import { bundleManifest } from "../src/publish/bundle-manifest.ts";
import { serverJson } from "../src/publish/server-json.ts";
import { SKILL_NAME, skillText } from "../src/publish/skill.ts";
import { TOOLS } from "../src/surfaces/mcp/tools.ts";
import { run } from "./clients/command.ts";
import { testServer } from "./harness.ts";
import { BOOKS, library } from "./library.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const folder = mkdtempSync(join(tmpdir(), "pdpp-publish-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("X-11 C-09 server.json", () => {
  /**
   * Restates the rules of https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json for the parts
   * that we use. They are strict, so a part without a rule here fails.
   */
  const input = {
    description: z.string().optional(),
    isRequired: z.boolean().optional(),
    isSecret: z.boolean().optional(),
    default: z.string().optional(),
    placeholder: z.string().optional(),
  };
  const address = z.string().regex(/^https?:\/\/[^\s]+$/);
  const rules = z.strictObject({
    $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
    name: z
      .string()
      .min(3)
      .max(200)
      .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    title: z.string().min(1).max(100),
    description: z.string().min(1).max(100),
    version: z
      .string()
      .max(255)
      .regex(/^\d+\.\d+\.\d+/),
    packages: z.array(
      z.strictObject({
        registryType: z.literal("npm"),
        identifier: z.string(),
        version: z.string().regex(/^\d+\.\d+\.\d+/),
        runtimeHint: z.string(),
        transport: z.strictObject({ type: z.literal("stdio") }),
        packageArguments: z.array(
          z.discriminatedUnion("type", [
            z.strictObject({ type: z.literal("positional"), value: z.string(), ...input }),
            z.strictObject({ type: z.literal("named"), name: z.string(), ...input }),
          ]),
        ),
        environmentVariables: z.array(z.strictObject({ name: z.string(), ...input })),
      }),
    ),
    remotes: z.array(
      z.strictObject({
        type: z.literal("streamable-http"),
        url: address,
        variables: z.record(z.string(), z.strictObject(input)),
      }),
    ),
  });

  it("X-11 follows the registry's schema", () => {
    const { remotes, packages } = rules.parse(serverJson());
    for (const { url, variables } of remotes)
      expect(url.match(/\{(\w+)\}/g)).toEqual(Object.keys(variables).map((name) => `{${name}}`));
    expect(remotes.map(({ url }) => url)).toEqual(["https://{host}/mcp", "https://{host}/files/mcp"]);
    expect(packages[0]!.packageArguments[0]).toMatchObject({ value: "mcp" });
  });

  it("X-11 has the package name from package.json, because the registry compares the two", () => {
    const manifest = JSON.parse(read("package.json"));
    expect(serverJson()).toMatchObject({
      name: manifest.mcpName,
      version: manifest.version,
      packages: [{ identifier: manifest.name, version: manifest.version }],
    });
  });

  it("X-11 the file in the repository matches the output of `npm run artifacts`", () => {
    expect(JSON.parse(read("server.json"))).toEqual(serverJson());
  });
});

describe("X-11 C-09 the agent skill", () => {
  const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(skillText()) ?? [];

  it("X-11 has the frontmatter that agentskills.io requires", () => {
    const { name, description, compatibility, ...rest } = parseYaml(front);
    expect(name).toMatch(/^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(name).toBe(SKILL_NAME);
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(description).toContain("Use when");
    expect(compatibility.length).toBeLessThanOrEqual(500);
    expect(Object.keys(rest)).toEqual(["license", "metadata"]);
    expect(body.split("\n").length).toBeLessThan(500);
  });

  it("X-11 lists every client, and the file in the folder with its name matches the output of `npm run artifacts`", () => {
    for (const { id } of CLIENTS) expect(body).toContain(`\`pdpp setup ${id}\``);
    expect(read(`skills/${SKILL_NAME}/SKILL.md`)).toBe(skillText());
  });
});

describe("X-11 C-09 the .mcpb bundle", () => {
  it("X-11 has a manifest that its publisher's schema accepts, and runs the same command as pdpp setup claude-desktop", () => {
    const manifest = v0_3.McpbManifestSchema.parse(bundleManifest());
    expect(manifest.server.mcp_config).toEqual({
      command: "node",
      args: [`\${__dirname}/bin/pdpp.js`, "mcp", "--server", `\${user_config.server}`],
    });
    expect(manifest.tools?.map(({ name }) => name)).toEqual(TOOLS.map(({ definition }) => definition.name));
  });

  it("X-11 lists a server's tools when packed and then unpacked in another folder, without node_modules", async () => {
    const file = join(folder, "postern.mcpb");
    const packed = await run(`"${process.execPath}" src/publish/run.ts --bundle "${file}"`, {
      cwd: root,
      env: process.env,
      seconds: 50,
    });
    expect([packed.code, packed.stderr]).toEqual([0, packed.stderr]);
    const unpacked = join(folder, "unpacked");
    expect(await unpackExtension({ mcpbPath: file, outputDir: unpacked, silent: true })).toBe(true);
    const { server } = v0_3.McpbManifestSchema.parse(JSON.parse(readFileSync(join(unpacked, "manifest.json"), "utf8")));
    const home = await testServer();
    try {
      await home.register("library", library);
      await home.ingest("books", await home.connect("library", "Town library"), BOOKS);
      const { access_token } = await home.grant({ all: true, client_name: "Bundle" });
      const args = server.mcp_config.args!.map((word) =>
        word.replace(`\${__dirname}`, unpacked).replace(`\${user_config.server}`, home.url),
      );
      const client = new Client({ name: "bundle", version: "1" });
      const env = { PATH: dirname(process.execPath), HOME: folder, PDPP_ACCESS_TOKEN: access_token as string };
      await client.connect(
        new StdioClientTransport({ command: join(dirname(process.execPath), "node"), args, cwd: folder, env }),
      );
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ definition }) => definition.name));
      await client.close();
    } finally {
      await home.close();
    }
  });
});
