// Returns the job of one import. Throws if the id refers to several files that were uploaded together.
import { PdppError } from "../contract/errors.ts";
import type { ImportJob } from "../contract/import.ts";
import type { ImportRequest } from "../contract/import-upload.ts";

export function oneImport(found: ImportJob | ImportRequest): ImportJob {
  if (found.object === "import") return found;
  const parts = found.imports.map(({ import_id }) => import_id).join(", ") || "none yet";
  throw new PdppError("invalid_request", `${found.import_id} consists of several imports that were sent together`, {
    next_step: `Specify one of its imports: ${parts}.`,
  });
}
