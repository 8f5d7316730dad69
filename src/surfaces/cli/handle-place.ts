// A handle contains its connection, so giving a different --connection with it is an error.
import { PdppError } from "../../contract/errors.ts";
import type { Handle } from "../../contract/handle.ts";

export function refuseOther(handle: Handle, connection: string | undefined): void {
  const named = "connection_id" in handle ? handle.connection_id : undefined;
  if (connection === undefined || named === undefined || named === connection) return;
  throw new PdppError(
    "invalid_request",
    `the handle belongs to connection ${JSON.stringify(named)}, but --connection specifies another`,
    {
      param: "connection_id",
      next_step: "Omit --connection: the handle already includes it.",
    },
  );
}
