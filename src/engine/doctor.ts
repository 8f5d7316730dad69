// The doctor checks a home without changing it, and recommends an action for each finding.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { quote } from "../core/shell-quote.ts";
import { SQLITE_FLOOR, sqliteIsSafe } from "../store/sqlite/database.ts";
import { readCheck } from "../store/sqlite/home-check.ts";
import { checkDatabase, countHome, countSegments, listBlobs } from "../store/sqlite/maintenance.ts";
import { MIGRATIONS } from "../store/sqlite/schema.ts";
import { FILES, openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import { Sweep } from "../store/sqlite/sweep.ts";
import {
  blobCheck,
  chainCheck,
  countsCheck,
  type DoctorCheck,
  fail,
  isOpen,
  nodeCheck,
  ok,
  permissionChecks,
  spaceCheck,
  warn,
} from "./doctor-checks.ts";
import { tryLockHome } from "./home-lock.ts";
import { objectsAt } from "./move.ts";
import { needsNewKey } from "./new-key.ts";
import type { ObjectPlace } from "./objects-place.ts";

export interface DoctorReport {
  object: "doctor_report";
  home: string;
  ok: boolean;
  checks: DoctorCheck[];
}

export interface DoctorOptions {
  home: string;
  /** Where blobs are stored. The default is the home. */
  objects?: ObjectPlace;
  /** If true, reads every blob instead of a sample. */
  deep: boolean;
}

export async function examine({ home, objects, deep }: DoctorOptions): Promise<DoctorReport> {
  const checks: DoctorCheck[] = [nodeCheck(), sqliteCheck()];
  if (!existsSync(join(home, FILES.records))) {
    checks.push(
      fail(
        "home",
        `there is no home at ${home}`,
        "Create one with `pdpp serve --home DIR`, or choose another with --home.",
      ),
    );
  } else {
    checks.push(...permissionChecks(home), ...modeChecks(home), lockCheck(home), await spaceCheck(home));
    const sound = databaseCheck(home, "records");
    const audit = databaseCheck(home, "audit");
    checks.push(sound, audit, projectionsCheck(home), ...(sound.status === "fail" ? [] : [rowsCheck(home)]));
    // Checks that depend on a damaged file would only report the same problem again.
    if (audit.status !== "fail" && sound.status !== "fail") checks.push(await keyedChainCheck(home));
    if (sound.status !== "fail") {
      const records = join(home, FILES.records);
      checks.push(await blobCheck(listBlobs(records), objectsAt({ home, objects }), deep));
      checks.push(countsCheck(countHome(records)));
    }
  }
  return { object: "doctor_report", home, ok: checks.every((check) => check.status !== "fail"), checks };
}

function sqliteCheck(): DoctorCheck {
  const version = process.versions.sqlite ?? "";
  return sqliteIsSafe(version)
    ? ok("sqlite", `SQLite ${version}`)
    : fail(
        "sqlite",
        `SQLite ${version} can lose writes`,
        `Use a Node release with SQLite ${SQLITE_FLOOR.join(".")} or newer.`,
      );
}

function modeChecks(home: string): DoctorCheck[] {
  if (process.platform === "win32") return [];
  const files = [FILES.key, FILES.records, FILES.audit, FILES.projections].filter((name) => isOpen(join(home, name)));
  if (files.length === 0) return [];
  return [
    warn(
      "file modes",
      `other users can access ${files.join(", ")}`,
      `chmod 600 ${files.map((name) => quote(join(home, name))).join(" ")}`,
    ),
  ];
}

function lockCheck(home: string): DoctorCheck {
  const lock = tryLockHome(home);
  lock?.release();
  return ok(
    "server",
    lock === undefined ? "a server or another pdpp command is using this home" : "no server is running on this home",
  );
}

function databaseCheck(home: string, which: "records" | "audit"): DoctorCheck {
  const name = FILES[which];
  const path = join(home, name);
  if (!existsSync(path))
    return fail(name, "it is missing", "Restore the home from a backup: pdpp restore DIR --home NEW");
  const { format, problems } = attempt(() => checkDatabase(path));
  if (problems.length > 0) {
    return fail(
      name,
      `damaged: ${problems.join("; ")}`,
      "Stop the server. Save what can still be read: pdpp doctor --salvage NEW. Or restore a backup: pdpp restore DIR --home NEW",
    );
  }
  if (format > MIGRATIONS[which].length) {
    return fail(
      name,
      `format ${format} is newer than this pdpp supports (${MIGRATIONS[which].length})`,
      "Use the newer pdpp that wrote it.",
    );
  }
  return ok(name, `intact, format ${format}`);
}

/** Reads every row now; the server does the same twice a day. */
function rowsCheck(home: string): DoctorCheck {
  const { format } = checkDatabase(join(home, FILES.records));
  if (format < MIGRATIONS.records.length)
    return ok("rows", "it has an earlier format, and is checked once this pdpp has opened the home");
  const sweep = new Sweep(home);
  while (sweep.step());
  const { damage } = readCheck(home);
  if (damage === null) return ok("rows", "every row of records.db matches its checksum");
  return fail("rows", damage.what, "Stop the server and save what can be read: pdpp doctor --salvage NEW");
}

/** Projections can always be rebuilt, so the worst consequence of damage is slowness. */
function projectionsCheck(home: string): DoctorCheck {
  const path = join(home, FILES.projections);
  if (!existsSync(path)) return ok(FILES.projections, "not saved yet; built when first needed");
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
    `It can be rebuilt. Stop the server and delete it: rm '${path}'*`,
  );
}

function attempt(check: () => ReturnType<typeof checkDatabase>): ReturnType<typeof checkDatabase> {
  try {
    return check();
  } catch (error) {
    return { format: 0, problems: [(error as Error).message] };
  }
}

async function keyedChainCheck(home: string): Promise<DoctorCheck> {
  if (!needsNewKey(home)) return chainCheck(() => openSqliteStore(home));
  return fail(
    "audit chain",
    "the key is missing or damaged: the home cannot be opened",
    "Put the file `key` back from a backup. Without a backup: pdpp doctor --new-key",
  );
}
