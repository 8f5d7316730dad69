// Postern's names in registries, bundles and skills.
import { readFileSync } from "node:fs";
import { LENS_SUMMARIES } from "../contract/client-setups.ts";

const { version, license, engines, name } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as { version: string; license: string; engines: { node: string }; name: string };

export const IDENTITY = {
  /** The name on npm. */
  package: name,
  title: "Postern",
  /** The name in the MCP registry, under the project's domain. */
  registryName: "dev.postern/postern",
  /** Registries allow at most 100 characters. */
  description: "Your own records and disks for AI apps: self-hosted, read-only, under grants that you revoke",
  version,
  license,
  node: engines.node,
  lenses: LENS_SUMMARIES,
} as const;
