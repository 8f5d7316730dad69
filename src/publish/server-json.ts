// server.json describes Postern for the MCP registry (schema 2025-12-11): a package to start, and the addresses of a
// server.
import type { Audience } from "../contract/auth.ts";
import { gateOf } from "../contract/client-setups.ts";
import { DEFAULT_ORIGIN } from "../surfaces/cli/default-address.ts";
import { IDENTITY } from "./identity.ts";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

export function serverJson(): object {
  const { registryName, title, description, version } = IDENTITY;
  return {
    $schema: SCHEMA,
    name: registryName,
    title,
    description,
    version,
    packages: [
      {
        registryType: "npm",
        identifier: IDENTITY.package,
        version,
        runtimeHint: "npx",
        transport: { type: "stdio" },
        packageArguments: [
          { type: "positional", value: "mcp" },
          {
            type: "named",
            name: "--server",
            description: "Address of your Postern server",
            isRequired: true,
            default: DEFAULT_ORIGIN,
          },
        ],
        environmentVariables: [
          {
            name: "PDPP_ACCESS_TOKEN",
            description: "The token of a grant; not needed after `pdpp connect ADDRESS --global`",
            isSecret: true,
          },
        ],
      },
    ],
    remotes: (["records", "files"] as const).map(remote),
  };
}

/** Every owner runs their own server, so the user must enter the host. */
function remote(lens: Audience): object {
  return {
    type: "streamable-http",
    url: gateOf("https://{host}", lens).url,
    variables: {
      host: {
        description: `Host of your Postern server. ${IDENTITY.lenses[lens]}`,
        isRequired: true,
        placeholder: "data.example.org",
      },
    },
  };
}
