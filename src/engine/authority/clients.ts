// Registered clients that nobody approved yet: they expire, and there is room for so many.
import { PdppError } from "../../contract/errors.ts";
import type { WriteView } from "../../store/store.ts";

/** Registration is open to anyone who reaches the server; a flood of it must end somewhere. */
const UNUSED_CLIENTS_MAX = 1000;

export async function roomForClient(view: WriteView, now: number): Promise<void> {
  await view.pruneAuth(now);
  if ((await view.countAuthItems("Client", now)) < UNUSED_CLIENTS_MAX) return;
  throw new PdppError(
    "rate_limit_exceeded",
    `${UNUSED_CLIENTS_MAX} clients wait to be approved; no more are taken now`,
  );
}
