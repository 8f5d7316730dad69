// Projection segments in the database. Every process reads them, and the first one that computes a segment saves it for
// all.
import type { Segments } from "../store.ts";
import { beginWriting, type Database, transaction } from "./connection.ts";

export function openSegments(database: Database, subject: string): Segments {
  return {
    manifest: (kind, streamNo) =>
      database.session(async (connection) => {
        const row = await connection.row(
          "SELECT body FROM manifest WHERE subject_id = $1 AND kind = $2 AND stream_no = $3",
          subject,
          kind,
          streamNo,
        );
        return row?.[0] as string | undefined;
      }),
    part: (kind, streamNo, seq, part) =>
      database.session(async (connection) => {
        const row = await connection.row(
          "SELECT bytes FROM segment WHERE subject_id = $1 AND kind = $2 AND stream_no = $3 AND seq = $4 AND part = $5",
          subject,
          kind,
          streamNo,
          seq,
          part,
        );
        return row?.[0] as Uint8Array | undefined;
      }),
    prune: (kind, keep) =>
      database.session(async (connection) => {
        for (const table of ["segment", "manifest"])
          await connection.run(
            `DELETE FROM ${table} WHERE subject_id = $1 AND kind = $2 AND stream_no <> ALL ($3::bigint[])`,
            subject,
            kind,
            [...keep],
          );
      }),
    save: (kind, streamNo, { manifest, drop, put, expected }) =>
      database.session((connection) =>
        transaction(connection, beginWriting(), async () => {
          // If two processes save at once, the second waits here and then sees what the first saved.
          await connection.run(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
            JSON.stringify([subject, kind, streamNo]),
          );
          const present = await connection.row(
            "SELECT body FROM manifest WHERE subject_id = $1 AND kind = $2 AND stream_no = $3",
            subject,
            kind,
            streamNo,
          );
          if (expected && present?.[0] !== expected.manifest) return false;
          // Save nothing for an owner that was removed in the meantime. A removal in progress waits for this
          // transaction.
          const home = await connection.row("SELECT 1 FROM home WHERE subject_id = $1 FOR KEY SHARE", subject);
          if (home === undefined) return false;
          for (const { seq, part } of drop) {
            const one = part === undefined ? "" : "AND part = $5";
            await connection.run(
              `DELETE FROM segment WHERE subject_id = $1 AND kind = $2 AND stream_no = $3 AND seq = $4 ${one}`,
              subject,
              kind,
              streamNo,
              seq,
              ...(part === undefined ? [] : [part]),
            );
          }
          for (const { seq, part, bytes } of put) {
            await connection.run(
              `INSERT INTO segment (subject_id, kind, stream_no, seq, part, bytes) VALUES ($1, $2, $3, $4, $5, $6)
               ON CONFLICT (subject_id, kind, stream_no, seq, part) DO UPDATE SET bytes = excluded.bytes`,
              subject,
              kind,
              streamNo,
              seq,
              part,
              bytes,
            );
          }
          await connection.run(
            `INSERT INTO manifest (subject_id, kind, stream_no, body) VALUES ($1, $2, $3, $4)
             ON CONFLICT (subject_id, kind, stream_no) DO UPDATE SET body = excluded.body`,
            subject,
            kind,
            streamNo,
            manifest,
          );
          return true;
        }),
      ),
  };
}
