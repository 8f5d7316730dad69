// Registered clients that nobody approved yet: they expire, and there is room for so many.
import type { WriteView } from "../../store/store.ts";

/** Registration is open to anyone who reaches the server. A flood of it pushes out its own oldest, and nobody is kept out. */
const UNUSED_CLIENTS_MAX = 1000;

export async function roomForClient(view: WriteView, now: number): Promise<void> {
  await view.pruneAuth(now);
  if ((await view.countAuthItems("Client", now)) >= UNUSED_CLIENTS_MAX) await view.dropOldestAuthItem("Client");
}
