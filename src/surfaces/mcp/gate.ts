// The tools and resources that `/mcp` and `pdpp mcp` offer.
import { INSTRUCTIONS } from "./instructions.ts";
import { readResource, TEMPLATES } from "./resources.ts";
import { type OnFailure, servedTools } from "./served-tool.ts";
import type { Surface } from "./server.ts";
import { TOOLS } from "./tools.ts";
import { version } from "./version.ts";

export const gate = (onFailure: OnFailure): Surface => ({
  name: "postern",
  title: "Postern",
  version,
  instructions: INSTRUCTIONS,
  tools: servedTools(TOOLS, onFailure),
  resources: { listed: [], templates: TEMPLATES, read: readResource },
});
