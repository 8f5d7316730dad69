// The database given in the environment: DATABASE_URL, and PDPP_OWNER if it contains several owners.
import { PdppError } from "../contract/errors.ts";
import type { DatabasePlace } from "../store/place.ts";
import { noteUnusedHome } from "./home-directory.ts";

/** Returns undefined if everything is in the home directory. */
export function databaseUrl(): string | undefined {
  const url = process.env.DATABASE_URL;
  return url === undefined || url === "" ? undefined : checkedAddress(url, "DATABASE_URL");
}

/** Returns the address for the driver. Errors never repeat the address, because it may contain a password. */
export function checkedAddress(address: string, from: string): string {
  const isOurs = /^postgres(ql)?:\/\//i.test(address);
  const problem = isOurs ? problemIn(address) : "";
  if (problem === undefined) return withKnownTls(address);
  throw new PdppError("invalid_request", `${from} is not a postgres:// address${problem}`, {
    next_step: isOurs
      ? "Write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE. In user and password, write @ : / ? # and % as %40 %3A %2F %3F %23 and %25."
      : from === "DATABASE_URL"
        ? "Correct it, or unset it to keep everything in the home directory."
        : "The address must begin with postgres://",
  });
}

const TLS = ["disable", "no-verify", "prefer", "require", "verify-ca", "verify-full"];

/** A password that is not percent-encoded shifts or hides the parts after it. */
function problemIn(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null && Number(/@[^@/?#]*:(\d+)(?:[/?]|$)/.exec(address)?.[1]) > 65_535)
    return ": its port is above 65535";
  if (url === null) return ": it cannot be parsed as written";
  const { username, password, pathname, search, searchParams, hash } = url;
  if (hash !== "" || (username === "" && `${pathname}${search}`.includes("@")))
    return ": it cannot be parsed as written";
  if ([username, password, pathname].some((part) => /%(?![0-9a-f]{2})/i.test(part)))
    return ": it cannot be parsed as written";
  const sslmode = searchParams.get("sslmode");
  return sslmode === null || TLS.includes(sslmode) ? undefined : `: sslmode must be one of ${TLS.join(", ")}`;
}

/** The driver treats these modes as verify-full, and prints a long warning about it. */
const withKnownTls = (address: string): string =>
  address.includes("uselibpqcompat=")
    ? address
    : address.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");

/** The owner's name or id. Undefined if there is only one owner. */
export const ownerAsked = (): string | undefined => process.env.PDPP_OWNER || undefined;

export interface DatabaseOptions {
  /** The home on this machine. If it contains data, a note says that this data is not used. */
  home: string;
  /** If true, creates the first owner if the database has no owner yet. */
  create?: boolean;
  /** Receives notes, such as one about waiting for the database. */
  note: (text: string) => void;
}

/** Returns the database once it is ready for use: the right version, with all tables. */
export async function databaseNamed({
  home,
  create = false,
  note,
}: DatabaseOptions): Promise<DatabasePlace | undefined> {
  const url = databaseUrl();
  if (url === undefined) return undefined;
  const { prepareDatabase } = await import("../store/postgres/prepare.ts");
  const place = await prepareDatabase(url, { owner: ownerAsked(), create, note });
  noteUnusedHome(note, home, place.subject);
  return place;
}

export async function migrateDatabase(url: string): Promise<{ from: number; to: number }> {
  const postgres = await import("../store/postgres/prepare.ts");
  return postgres.migrateDatabase(url);
}
