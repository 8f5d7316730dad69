// Projection segments in their own file, which is opened when first needed and safe to delete at any time.
import { rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { PdppError } from "../../contract/errors.ts";
import type { Segments } from "../store.ts";
import { openDatabase, withTypedErrors } from "./database.ts";
import { MIGRATIONS } from "./schema.ts";

export function openSegments(path: string): Segments & { close(): void } {
  let opened: ReturnType<typeof prepare> | undefined;
  /**
   * A file that is damaged or of another version contains nothing that is not in the feed, so it is replaced by a new
   * one.
   */
  function withFile<T>(work: (file: ReturnType<typeof prepare>) => T): T {
    return withTypedErrors(() => {
      try {
        opened ??= openFile(path);
        return work(opened);
      } catch (error) {
        if (!isDamage(error)) throw error;
        opened?.database.close();
        for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
        opened = openFile(path);
        return work(opened);
      }
    });
  }
  return {
    manifest: (kind, streamNo) => withFile((file) => file.manifest.get(kind, streamNo)?.body as string | undefined),
    part: (kind, streamNo, seq, part) =>
      withFile((file) => file.part.get(kind, streamNo, seq, part)?.bytes as Uint8Array | undefined),
    prune(kind, keep) {
      withFile(({ streams, dropStream, dropManifest }) => {
        for (const { stream_no: streamNo } of streams.all(kind)) {
          if (keep.has(streamNo as number)) continue;
          dropStream.run(kind, streamNo!);
          dropManifest.run(kind, streamNo!);
        }
      });
    },
    save(kind, streamNo, { manifest, drop, put, expected }) {
      return withFile(({ database, manifest: present, dropSegment, dropPart, putPart, putManifest }) => {
        database.exec("BEGIN IMMEDIATE");
        try {
          if (expected && (present.get(kind, streamNo)?.body as string | undefined) !== expected.manifest) {
            database.exec("ROLLBACK");
            return false;
          }
          for (const { seq, part } of drop) {
            if (part === undefined) dropSegment.run(kind, streamNo, seq);
            else dropPart.run(kind, streamNo, seq, part);
          }
          for (const { seq, part, bytes } of put) putPart.run(kind, streamNo, seq, part, bytes);
          putManifest.run(kind, streamNo, manifest);
          database.exec("COMMIT");
        } catch (error) {
          if (database.isTransaction) database.exec("ROLLBACK");
          throw error;
        }
        database.exec("PRAGMA wal_checkpoint(PASSIVE)");
        return true;
      });
    },
    close() {
      opened?.database.close();
    },
  };
}

function prepare(database: DatabaseSync) {
  return {
    database,
    manifest: database.prepare("SELECT body FROM manifest WHERE kind = ? AND stream_no = ?"),
    part: database.prepare("SELECT bytes FROM segment WHERE kind = ? AND stream_no = ? AND seq = ? AND part = ?"),
    streams: database.prepare("SELECT stream_no FROM manifest WHERE kind = ?"),
    dropStream: database.prepare("DELETE FROM segment WHERE kind = ? AND stream_no = ?"),
    dropManifest: database.prepare("DELETE FROM manifest WHERE kind = ? AND stream_no = ?"),
    dropSegment: database.prepare("DELETE FROM segment WHERE kind = ? AND stream_no = ? AND seq = ?"),
    dropPart: database.prepare("DELETE FROM segment WHERE kind = ? AND stream_no = ? AND seq = ? AND part = ?"),
    putPart: database.prepare("INSERT OR REPLACE INTO segment VALUES (?, ?, ?, ?, ?)"),
    putManifest: database.prepare("INSERT OR REPLACE INTO manifest VALUES (?, ?, ?)"),
  };
}

function openFile(path: string) {
  const limits = { migrations: MIGRATIONS.projections, synchronous: "NORMAL", cacheMegabytes: 4 } as const;
  const database = openDatabase({ path, ...limits });
  try {
    return prepare(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function isDamage(error: unknown): boolean {
  if (error instanceof PdppError && error.code === "home_too_new") return true;
  return error instanceof Error && /not a database|malformed|corrupt|no such (table|column)/i.test(error.message);
}
