// Sessions: where a client stands. Each has an id of its own; who names none has one that stands in.
import { randomBytes } from "node:crypto";
import { PdppError } from "../../contract/errors.ts";
import { SHELL_LIST_MAX, type ShellPreferences } from "../../contract/file-shell.ts";
import type { FileCall } from "./file-call.ts";
import type { SessionRow } from "./session-rows.ts";

export const TOP = "/";
/** Asks for a session of its own. */
export const NEW_SESSION = "new";
export const DEFAULT_UNITS: ShellPreferences["units"] = "binary";

export async function openSession({ lens: { store, now }, client }: FileCall, sessionId?: string): Promise<SessionRow> {
  if (sessionId === NEW_SESSION) return fresh(client, 0, now());
  if (sessionId === undefined) return (await store.standIn(client)) ?? fresh(client, 1, now());
  const found = await store.session(sessionId);
  // That of another client is answered as one that does not exist.
  if (found?.client === client) return found;
  throw new PdppError("not_found", `there is no session ${JSON.stringify(sessionId.slice(0, 60))}`, {
    param: "sessionId",
    next_step: 'Leave sessionId out for the one that is yours, or begin another with "new".',
  });
}

const fresh = (client: string, standingIn: number, now: number): SessionRow => ({
  session_id: `fs_${randomBytes(9).toString("base64url")}`,
  client,
  standing_in: standingIn,
  cwd: TOP,
  index_id: null,
  node_id: null,
  units: DEFAULT_UNITS,
  page: SHELL_LIST_MAX,
  used_at: now,
});

export function preferencesOf({ session_id, units, page }: SessionRow): ShellPreferences {
  return { sessionId: session_id, units: units as ShellPreferences["units"], limit: page };
}

/** What was scanned last is what a session looks into, where a root has several indexes; one that stands elsewhere stays there. */
export async function lookInto(
  call: FileCall,
  { indexIds }: { indexIds: readonly string[] },
  indexId: string,
  sessionId?: string,
): Promise<void> {
  const session = await openSession(call, sessionId);
  const stands = session.index_id;
  if (stands === indexId || (stands !== null && !indexIds.includes(stands))) return;
  const { store, now } = call.lens;
  await store.putSession({ ...session, index_id: indexId, node_id: null, used_at: now() });
}
