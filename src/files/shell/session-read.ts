// Reads a session over HTTP: its current directory and its preferences.
import { PdppError } from "../../contract/errors.ts";
import type { Crumb, ShellPreferences, ShellSession } from "../../contract/file-shell.ts";
import type { FileAnswer, FileCall } from "./file-call.ts";
import { links } from "./links.ts";
import { sessionState } from "./navigate.ts";
import type { SessionRow } from "./session-rows.ts";
import { NEW_SESSION, openSession, preferencesOf, TOP } from "./sessions.ts";

export async function sessionRead(
  call: FileCall,
  { sessionId }: { sessionId: string },
): Promise<FileAnswer<ShellSession & ShellPreferences>> {
  const session = await openSession(call, sessionId === NEW_SESSION ? "" : sessionId);
  const root = (await call.roots()).find(
    ({ path, indexIds }) => path === session.cwd || indexIds.includes(session.index_id ?? ""),
  );
  // If the session's root is no longer open, show the session at the top level.
  const here: SessionRow =
    root === undefined ? { ...session, cwd: TOP, index_id: null, node_id: null, pinned: 0 } : session;
  return {
    ...(root === undefined ? {} : { connectionId: root.connectionId }),
    answer: {
      ...sessionState(here),
      link: links(call.caller.origin).session(here.session_id),
      breadcrumb: await breadcrumbOf(call, here),
      ...preferencesOf(here),
    },
  };
}

/** Empty if the session's directory was deleted. */
async function breadcrumbOf({ lens: { files } }: FileCall, { index_id, node_id }: SessionRow): Promise<Crumb[]> {
  if (index_id === null || node_id === null) return [];
  try {
    return (await files.node(index_id, node_id)).breadcrumb;
  } catch (error) {
    if (error instanceof PdppError && error.status === 404) return [];
    throw error;
  }
}
