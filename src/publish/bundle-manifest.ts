// manifest.json of the .mcpb bundle. It contains the same entry that `pdpp setup claude-desktop` writes, with the
// address as a setting.
import { clientSetup, gateOf } from "../contract/client-setups.ts";
import { DEFAULT_ORIGIN } from "../surfaces/cli/default-address.ts";
import { TOOLS } from "../surfaces/mcp/tools.ts";
import { IDENTITY } from "./identity.ts";

const ENTRY_POINT = "bin/pdpp.js";

/** The files in a bundle besides the manifest: the published program. */
export const BUNDLED = ["bin", "dist", "package.json", "LICENSE"] as const;

export function bundleManifest(): object {
  const { title, description, version, license, node, lenses } = IDENTITY;
  const pdpp = { command: "node", args: [`\${__dirname}/${ENTRY_POINT}`] };
  return {
    manifest_version: "0.3",
    name: IDENTITY.package,
    display_name: title,
    version,
    description,
    long_description: `${lenses.records}. The bundle starts \`pdpp mcp\` for a Postern server that you run. Sign in once in a terminal: \`pdpp connect ADDRESS --global\`. In the browser you choose what the app may read, and you can revoke it there.`,
    author: { name: title },
    license,
    server: {
      type: "node",
      entry_point: ENTRY_POINT,
      mcp_config: clientSetup("claude-desktop").entry(gateOf(`\${user_config.server}`), pdpp),
    },
    tools: TOOLS.map(({ definition: { name, description: says } }) => ({ name, description: says })),
    user_config: {
      server: {
        type: "string",
        title: "Address of your Postern server",
        description: "As `pdpp serve` prints it after `ready`",
        required: true,
        default: DEFAULT_ORIGIN,
      },
    },
    compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node } },
  };
}
