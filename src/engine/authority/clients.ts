// Clients that have registered but have not been approved yet. They expire, and their number is limited.
import type { WriteView } from "../../store/store.ts";

/**
 * Anyone who reaches the server can register. A flood of registrations evicts only its own oldest entries, and blocks
 * no one.
 */
const UNUSED_CLIENTS_MAX = 1000;

export async function roomForClient(view: WriteView, now: number): Promise<void> {
  await view.pruneAuth(now);
  if ((await view.countAuthItems("Client", now)) >= UNUSED_CLIENTS_MAX) await view.dropOldestAuthItem("Client");
}
