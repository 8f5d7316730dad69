// Sessions of the shell: the current directory and preferences of each.
import type { ShellDatabase } from "./shell-database.ts";

export interface SessionRow {
  session_id: string;
  client: string;
  standing_in: number;
  cwd: string;
  index_id: string | null;
  node_id: string | null;
  units: string;
  page: number;
  used_at: number;
  /** 1 if the session chose `index_id`, 0 if that was just the root's fullest index when the session entered it. */
  pinned: number;
  /** A digest of the app's id for the chat, or null if the app sends no id. */
  chat: string | null;
}

/** How many sessions are kept per app. */
const SESSIONS_KEPT = 200;

export function sessionRows({ database, one, unsynced }: ShellDatabase) {
  return {
    session(sessionId: string): SessionRow | undefined {
      return one("SELECT * FROM session WHERE session_id = ?", sessionId);
    },

    standIn(client: string): SessionRow | undefined {
      return one("SELECT * FROM session WHERE client = ? AND standing_in = 1", client);
    },

    chatSession(client: string, chat: string): SessionRow | undefined {
      return one("SELECT * FROM session WHERE client = ? AND chat = ?", client, chat);
    },

    /** Not synced: after a power cut a session may be in an earlier directory. */
    putSession(row: SessionRow): void {
      unsynced(() => {
        database
          .prepare("INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
          .run(
            row.session_id,
            row.client,
            row.standing_in,
            row.cwd,
            row.index_id,
            row.node_id,
            row.units,
            row.page,
            row.used_at,
            row.pinned,
            row.chat,
          );
        database
          .prepare(
            "DELETE FROM session WHERE standing_in = 0 AND session_id IN (SELECT session_id FROM session WHERE client = ? ORDER BY used_at DESC LIMIT -1 OFFSET ?)",
          )
          .run(row.client, SESSIONS_KEPT);
      });
    },
  };
}
