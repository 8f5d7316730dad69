// A session is an app's current directory. Without a sessionId, the app uses its chat's session if it identifies the
// chat, otherwise one session for all its chats (S-23).
import { hash, randomBytes } from "node:crypto";
import { PdppError } from "../../contract/errors.ts";
import { SHELL_LIST_MAX, type ShellPreferences } from "../../contract/file-shell.ts";
import type { FileIndex } from "../../contract/files.ts";
import type { FileCall } from "./file-call.ts";
import type { SessionRow } from "./session-rows.ts";

export const TOP = "/";
/** Requests a new session. */
export const NEW_SESSION = "new";
export const DEFAULT_UNITS: ShellPreferences["units"] = "binary";

export async function openSession(call: FileCall, sessionId?: string): Promise<SessionRow> {
  const { lens, client } = call;
  const { store, now } = lens;
  if (sessionId === NEW_SESSION) return fresh(client, now());
  if (sessionId === undefined) {
    const chat = chatOf(call);
    return (await defaultSession(call)) ?? { ...fresh(client, now()), standing_in: chat === null ? 1 : 0, chat };
  }
  const found = await store.session(sessionId);
  // A session of another app is reported as if it did not exist.
  if (found !== undefined && call.sees(found)) return found;
  throw new PdppError("not_found", `there is no session ${JSON.stringify(sessionId.slice(0, 60))}`, {
    param: "sessionId",
    next_step: 'Omit sessionId to use your own session, or pass "new" to start another.',
  });
}

/** Returns the app's default session, or undefined if it has not been created yet. */
export async function defaultSession(call: FileCall): Promise<SessionRow | undefined> {
  const chat = chatOf(call);
  const { store } = call.lens;
  return chat === null ? store.standIn(call.client) : store.chatSession(call.client, chat);
}

const chatOf = ({ caller: { chat } }: FileCall): string | null =>
  chat === undefined ? null : hash("sha256", chat, "base64url");

const fresh = (client: string, now: number): SessionRow => ({
  session_id: `fs_${randomBytes(9).toString("base64url")}`,
  client,
  standing_in: 0,
  cwd: TOP,
  index_id: null,
  node_id: null,
  units: DEFAULT_UNITS,
  page: SHELL_LIST_MAX,
  used_at: now,
  pinned: 0,
  chat: null,
});

export function preferencesOf({ session_id, units, page }: SessionRow): ShellPreferences {
  return { sessionId: session_id, units: units as ShellPreferences["units"], limit: page };
}

/** Returns the session's index: the chosen one, otherwise the fullest of its root (S-16). */
export async function indexOfSession(call: FileCall, { index_id, pinned }: SessionRow): Promise<FileIndex | undefined> {
  if (index_id === null) return undefined;
  const root = (await call.roots()).find(({ indexIds }) => indexIds.includes(index_id));
  if (root === undefined) return undefined;
  return pinned === 1 ? call.lens.files.indexInfo(index_id) : call.lens.indexOf(root);
}

/** If the session has no index yet, it uses the one being scanned. */
export async function enterRunningScan(call: FileCall, indexId: string, sessionId?: string): Promise<void> {
  const session = await openSession(call, sessionId);
  if (session.index_id !== null) return;
  await call.lens.store.putSession({ ...session, index_id: indexId, used_at: call.lens.now() });
}
