// Lists the owner's sessions by the browser that opened them, and ends them.
import { PdppError } from "../../contract/errors.ts";
import { formatInstant } from "../../core/instant.ts";
import type { ReadView, WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";

/** Identifies a session without giving access to it: the first characters of its hash. */
export const sessionId = (hash: string): string => `ses_${hash.slice(0, 16)}`;

export interface OwnerSession {
  object: "owner_session";
  session_id: string;
  opened_with: string;
  created_at: string;
  expires_at?: string;
}

export async function listSessions(
  view: ReadView,
  caller: Caller,
  now: number,
): Promise<{ object: "list"; data: OwnerSession[] }> {
  const held = await view.tokensOf(caller.subjectId, "session");
  const open = held.filter(({ expiresAt }) => expiresAt === null || now < expiresAt);
  return {
    object: "list",
    data: open.map(({ hash, createdAt, expiresAt, label }) => ({
      object: "owner_session",
      session_id: sessionId(hash),
      opened_with: label ?? "",
      created_at: formatInstant(createdAt),
      ...(expiresAt === null ? {} : { expires_at: formatInstant(expiresAt) }),
    })),
  };
}

/** Ends the session with this id or, for `all`, every session but `except`. */
export async function endSessions(view: WriteView, caller: Caller, { id, except }: { id: string; except?: string }) {
  const held = await view.tokensOf(caller.subjectId, "session");
  const gone = held.filter(({ hash }) => (id === "all" || sessionId(hash) === id) && sessionId(hash) !== except);
  if (gone.length === 0 && id !== "all") {
    throw new PdppError("not_found", `there is no session ${JSON.stringify(id)}`, {
      param: "id",
      next_step: "`pdpp owner sessions` shows them.",
    });
  }
  for (const { hash } of gone) await view.deleteToken(hash);
  return { ended: gone.map(({ hash }) => sessionId(hash)) };
}
