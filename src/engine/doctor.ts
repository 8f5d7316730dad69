// Doctor: checks a home without changing it, and says for each finding what to do.
import { existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { quote } from "../core/shell-quote.ts";
import { SQLITE_FLOOR, sqliteIsSafe } from "../store/sqlite/database.ts";
import { checkDatabase, countHome, countSegments, listBlobs } from "../store/sqlite/maintenance.ts";
import { MIGRATIONS } from "../store/sqlite/schema.ts";
import { FILES, openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import { blobPath } from "./blob-files.ts";
import { digestFile, eachOf } from "./copy-file.ts";
import { tryLockHome } from "./home-lock.ts";

export interface Check {
  name: string;
  status: "ok" | "warn" | "fail";
  message: string;
  /** What to do about it; on every finding that is not ok. */
  next?: string;
}

export interface DoctorReport {
  object: "doctor_report";
  home: string;
  ok: boolean;
  checks: Check[];
}

export interface DoctorOptions {
  home: string;
  /** Read every blob instead of a sample. */
  deep: boolean;
}

const NODE_FLOOR = 24;
const BLOB_SAMPLE = 50;
const BLOBS_AT_ONCE = 8;
const SPACE = { warn: 1024 ** 3, fail: 100 * 1024 ** 2 } as const;

export async function examine({ home, deep }: DoctorOptions): Promise<DoctorReport> {
  const checks: Check[] = [nodeCheck(), sqliteCheck()];
  if (!existsSync(join(home, FILES.records))) {
    checks.push(
      fail(
        "home",
        `there is no home at ${home}`,
        "Make one with `pdpp serve --home DIR`, or name another with --home.",
      ),
    );
  } else {
    checks.push(...permissionChecks(home), lockCheck(home), await spaceCheck(home));
    const sound = databaseCheck(home, "records");
    const audit = databaseCheck(home, "audit");
    checks.push(sound, audit, projectionsCheck(home));
    // What rests on a damaged file would only repeat its finding.
    if (audit.status !== "fail" && sound.status !== "fail") checks.push(await chainCheck(home));
    if (sound.status !== "fail") checks.push(await blobCheck(home, deep), countsCheck(home));
  }
  return { object: "doctor_report", home, ok: checks.every((check) => check.status !== "fail"), checks };
}

const ok = (name: string, message: string): Check => ({ name, status: "ok", message });
const warn = (name: string, message: string, next: string): Check => ({ name, status: "warn", message, next });
const fail = (name: string, message: string, next: string): Check => ({ name, status: "fail", message, next });

function nodeCheck(): Check {
  const version = process.versions.node;
  return Number(version.split(".")[0]) >= NODE_FLOOR
    ? ok("node", `Node ${version}`)
    : fail("node", `Node ${version} is too old`, `Install Node ${NODE_FLOOR} or newer.`);
}

function sqliteCheck(): Check {
  const version = process.versions.sqlite ?? "";
  return sqliteIsSafe(version)
    ? ok("sqlite", `SQLite ${version}`)
    : fail(
        "sqlite",
        `SQLite ${version} can lose writes`,
        `Use a Node release with SQLite ${SQLITE_FLOOR.join(".")} or newer.`,
      );
}

function permissionChecks(home: string): Check[] {
  if (process.platform === "win32") return [];
  const open = (path: string) => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077;
  const directory = open(home)
    ? fail("permissions", `other users can look into ${home}`, `chmod 700 ${quote(home)}`)
    : ok("permissions", `only its owner can look into ${home}`);
  const files = [FILES.key, FILES.records, FILES.audit, FILES.projections].filter(
    (name) => open(join(home, name)) !== 0,
  );
  if (files.length === 0) return [directory];
  return [
    directory,
    warn(
      "file modes",
      `readable beyond the owner: ${files.join(", ")}`,
      `chmod 600 ${files.map((name) => quote(join(home, name))).join(" ")}`,
    ),
  ];
}

function lockCheck(home: string): Check {
  const lock = tryLockHome(home);
  lock?.release();
  return ok(
    "server",
    lock === undefined ? "a server, or another pdpp command, works on this home now" : "no server runs on this home",
  );
}

async function spaceCheck(home: string): Promise<Check> {
  const { bavail, bsize } = await statfs(home);
  const free = bavail * bsize;
  const message = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  if (free < SPACE.fail)
    return fail("disk space", message, "Free some space before writing more; writes will be refused, none is lost.");
  return free < SPACE.warn ? warn("disk space", message, "Free some space soon.") : ok("disk space", message);
}

function databaseCheck(home: string, which: "records" | "audit"): Check {
  const name = FILES[which];
  const path = join(home, name);
  if (!existsSync(path))
    return fail(name, "it is missing", "Restore the home from a backup: pdpp restore DIR --home NEW");
  const { format, problems } = attempt(() => checkDatabase(path));
  if (problems.length > 0) {
    return fail(
      name,
      `damaged: ${problems.join("; ")}`,
      "Stop the server, keep a copy of the home, then: pdpp restore DIR --home NEW",
    );
  }
  if (format > MIGRATIONS[which].length) {
    return fail(
      name,
      `format ${format} is newer than this pdpp knows (${MIGRATIONS[which].length})`,
      "Use the newer pdpp that wrote it.",
    );
  }
  return ok(name, `whole, format ${format}`);
}

/** They can always be rebuilt: nothing here is worse than slow. */
function projectionsCheck(home: string): Check {
  const path = join(home, FILES.projections);
  if (!existsSync(path)) return ok(FILES.projections, "none saved yet; built when first needed");
  const { problems } = attempt(() => checkDatabase(path));
  if (problems.length === 0) {
    try {
      return ok(FILES.projections, `readable, ${countSegments(path)} parts`);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  return warn(
    FILES.projections,
    `damaged: ${problems[0]}`,
    `It holds nothing of its own. Stop the server and delete it: rm '${path}'*`,
  );
}

function attempt(check: () => ReturnType<typeof checkDatabase>): ReturnType<typeof checkDatabase> {
  try {
    return check();
  } catch (error) {
    return { format: 0, problems: [(error as Error).message] };
  }
}

async function chainCheck(home: string): Promise<Check> {
  if (!existsSync(join(home, FILES.key))) {
    return fail(
      "audit chain",
      "the key is missing: cursors and the log cannot be checked",
      "Restore the home from a backup: pdpp restore DIR --home NEW",
    );
  }
  let store: ReturnType<typeof openSqliteStore> | undefined;
  try {
    store = openSqliteStore(home);
    const { entries, brokenAt, reason } = await store.audit.verify();
    if (brokenAt === undefined) return ok("audit chain", `${entries} entries, unbroken`);
    return fail(
      "audit chain",
      `broken at entry ${brokenAt}: ${reason}`,
      "Someone changed the log, or the disk is failing: compare it with a backup.",
    );
  } catch (error) {
    return fail(
      "audit chain",
      (error as Error).message,
      "Try again when nothing else works on the home; else compare it with a backup.",
    );
  } finally {
    await store?.close();
  }
}

async function blobCheck(home: string, deep: boolean): Promise<Check> {
  const rows = listBlobs(join(home, FILES.records));
  if (rows.length === 0) return ok("blobs", "none");
  // Every one must be there with its size; of a spread sample every byte is read.
  const every = Math.ceil(rows.length / BLOB_SAMPLE);
  const bad: string[] = [];
  let read = 0;
  await eachOf([...rows.entries()], BLOBS_AT_ONCE, async ([index, blob]) => {
    const path = blobPath(home, blob.blobId);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size !== blob.sizeBytes)
      bad.push(
        `${blob.blobId} ${size === undefined ? "is missing" : `has ${size} bytes instead of ${blob.sizeBytes}`}`,
      );
    else if (deep || index % every === 0) {
      read++;
      if ((await digestFile(path)).sha256 !== blob.sha256)
        bad.push(`${blob.blobId} has other bytes than its name says`);
    }
  });
  if (bad.length > 0) {
    const more = bad.length > 5 ? `; and ${bad.length - 5} more` : "";
    return fail(
      "blobs",
      `${bad.slice(0, 5).join("; ")}${more}`,
      "Copy these files from a backup (blobs/…), or bring their records in again.",
    );
  }
  const note = read === rows.length ? "all read" : `${read} of them read; --deep reads all`;
  return ok("blobs", `${rows.length} present, ${note}`);
}

function countsCheck(home: string): Check {
  const { records, streams, connections, sources, grants, tokens } = countHome(join(home, FILES.records));
  return ok(
    "counts",
    `${records} records in ${streams} streams, ${connections} connections, ${sources} sources; ${grants} grants not revoked, ${tokens} tokens`,
  );
}
