// Sessions of the shell: the current directory of each, and its preferences.
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
  /** 1: `index_id` was chosen. 0: it was the fullest of the root when the session entered it. */
  pinned: number;
  /** A digest of the client's name for the chat; null if it has none. */
  chat: string | null;
}

/** How many sessions of one client are kept. */
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
