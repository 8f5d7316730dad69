// The doctor for an owner in a database. It checks that the database is reachable and usable, and that the owner's data
// is intact.
import { existsSync } from "node:fs";
import { PdppError } from "../contract/errors.ts";
import type { ObjectPlace } from "../store/objects.ts";
import { openStore } from "../store/place.ts";
import { checkDatabase, countOwner, listBlobs, type PostgresCheck } from "../store/postgres/maintenance.ts";
import type { DoctorReport } from "./doctor.ts";
import {
  blobCheck,
  chainCheck,
  countsCheck,
  type DoctorCheck,
  fail,
  nodeCheck,
  ok,
  permissionChecks,
  spaceCheck,
  warn,
} from "./doctor-checks.ts";
import { unusedHome } from "./home-directory.ts";
import { objectsAt } from "./move.ts";

export interface DatabaseDoctorOptions {
  /** The servers' home, with the files that belong to this machine. */
  home: string;
  url: string;
  /** The owner's name or id. Needed only if there are several owners. */
  owner: string | undefined;
  /** Where an owner's blobs are stored. */
  objectsFor: (subject: string) => ObjectPlace;
  deep: boolean;
}

export async function examineDatabase(options: DatabaseDoctorOptions): Promise<DoctorReport> {
  const { home } = options;
  const checks: DoctorCheck[] = [nodeCheck()];
  if (existsSync(home)) checks.push(...permissionChecks(home), await spaceCheck(home));
  checks.push(...(await databaseChecks(options)));
  return { object: "doctor_report", home, ok: checks.every((check) => check.status !== "fail"), checks };
}

async function databaseChecks(options: DatabaseDoctorOptions): Promise<DoctorCheck[]> {
  let found: PostgresCheck;
  try {
    found = await checkDatabase(options.url, options.owner);
  } catch (error) {
    if (!(error instanceof PdppError)) throw error;
    return [fail("database", error.message, error.details.next_step ?? REACH)];
  }
  const { version, bytes, format, known } = found;
  const checks = [
    ok("database", `PostgreSQL ${version}, ${(bytes / 1024 ** 2).toFixed(0)} MiB`),
    format === 0 ? roomCheck(found) : formatCheck(format, known),
  ];
  if (checks[1]!.status === "fail") return checks;
  checks.push(checksumsCheck(found));
  const rights = rightsCheck(found);
  checks.push(rights, ownerCheck(found.owner));
  // Checks that depend on an unusable database would only report the same problem again.
  if (rights.status === "fail" || typeof found.owner !== "string") return checks;
  const unused = unusedHome(options.home, found.owner);
  if (unused !== undefined) checks.push(warn("home", unused.message, unused.next));
  return [...checks, ...(await ownerChecks(options, found.owner))];
}

async function ownerChecks(
  { home, url, objectsFor, deep }: DatabaseDoctorOptions,
  subject: string,
): Promise<DoctorCheck[]> {
  const place = { home, database: { url, subject }, objects: objectsFor(subject) };
  return [
    await chainCheck(() => openStore(place)),
    await blobCheck(await listBlobs(url, subject), objectsAt(place), deep),
    countsCheck(await countOwner(url, subject)),
  ];
}

const REACH = "Start the database, or correct the host and port in DATABASE_URL; then run `pdpp doctor` again.";

function roomCheck({ room: { schema, allowed } }: PostgresCheck): DoctorCheck {
  if (allowed) return fail("format", "it has no Postern tables yet", "Run `pdpp migrate`, or start a server.");
  return schema === null
    ? fail("rights", "it has no schema for the tables", "Create the schema in search_path, or correct search_path.")
    : fail(
        "rights",
        `its user cannot see any Postern tables, and may not create any in the schema ${schema}`,
        `Run GRANT USAGE, CREATE ON SCHEMA ${schema} TO the user in DATABASE_URL, or make that user the owner of the database; then run \`pdpp migrate\`.`,
      );
}

function formatCheck(format: number, known: number): DoctorCheck {
  if (format > known) {
    return fail(
      "format",
      `format ${format} is newer than this pdpp supports (${known})`,
      "Use the newer pdpp that wrote it.",
    );
  }
  return format < known
    ? fail("format", `format ${format} is older than this pdpp supports (${known})`, "Run `pdpp migrate`.")
    : ok("format", `format ${format}`);
}

const checksumsCheck = ({ hasChecksums }: PostgresCheck): DoctorCheck =>
  hasChecksums
    ? ok("checksums", "page checksums are on, so the database would detect damaged pages")
    : warn(
        "checksums",
        "the database does not detect damaged pages: data_checksums is off",
        "Stop the database and run `pg_checksums --enable -D DATA`.",
      );

function rightsCheck({ readOnly, closed }: PostgresCheck): DoctorCheck {
  if (readOnly) {
    return fail(
      "rights",
      "the database accepts no writes (it is read-only)",
      "Point DATABASE_URL to the primary, or turn off its default_transaction_read_only.",
    );
  }
  return closed.length === 0
    ? ok("rights", "its user may read and write every table")
    : fail(
        "rights",
        `missing or not accessible to its user: ${closed.slice(0, 5).join(", ")}${closed.length > 5 ? ", …" : ""}`,
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO its user; then `pdpp migrate`.",
      );
}

const ownerCheck = (owner: string | PdppError): DoctorCheck =>
  typeof owner === "string"
    ? ok("owner", owner)
    : fail("owner", owner.message.replace("this database", "it"), owner.details.next_step!);
