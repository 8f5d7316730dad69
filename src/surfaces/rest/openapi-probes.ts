// The probes in the OpenAPI document. They need no token, have no parameters, and do not correspond to an engine call.

import type { ComponentName } from "../../contract/components.ts";
import { PROBES, type ProbePath } from "../http/probes.ts";
import { referTo } from "./component-schemas.ts";
import { jsonContent } from "./openapi-parts.ts";

const NAMES: Record<ProbePath, [operationId: string, answer: ComponentName]> = {
  "/healthz": ["health", "Liveness"],
  "/readyz": ["readiness", "Ready"],
};

export const PROBE_PATHS = Object.keys(PROBES) as ProbePath[];

export function probeOperation(path: ProbePath): object {
  const [operationId, answer] = NAMES[path];
  const notReady = { description: "Not ready, with the reason", content: jsonContent(referTo("NotReady")) };
  return {
    operationId,
    summary: PROBES[path],
    description: "No token is needed.",
    security: [],
    parameters: [],
    responses: {
      200: { description: "The process responds", content: jsonContent(referTo(answer)) },
      ...(path === "/readyz" ? { 503: notReady } : {}),
      default: { $ref: "#/components/responses/error" },
    },
  };
}
