// npm run artifacts: writes server.json and the skill from the tables. With `-- --bundle FILE`, packs the build into an
// .mcpb bundle instead.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { packExtension } from "@anthropic-ai/mcpb";
import { BUNDLED, bundleManifest } from "./bundle-manifest.ts";
import { serverJson } from "./server-json.ts";
import { SKILL_NAME, skillText } from "./skill.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values } = parseArgs({ options: { bundle: { type: "string" } } });

if (values.bundle === undefined) {
  write("server.json", `${JSON.stringify(serverJson(), null, 2)}\n`);
  write(`skills/${SKILL_NAME}/SKILL.md`, skillText());
} else await pack(resolve(values.bundle));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path}\n`);
}

async function pack(file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "postern-bundle-"));
  try {
    for (const part of BUNDLED) cpSync(join(root, part), join(folder, part), { recursive: true });
    writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(bundleManifest(), null, 2)}\n`);
    if (!(await packExtension({ extensionPath: folder, outputPath: file, silent: true })))
      throw new Error("the bundle could not be packed: its manifest is not valid");
    process.stdout.write(`${file}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
