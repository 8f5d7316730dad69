// The database that the environment names: DATABASE_URL, and PDPP_OWNER where it holds several owners.
import { PdppError } from "../contract/errors.ts";
import { ID_PREFIX } from "../contract/ids.ts";
import type { DatabasePlace } from "../store/place.ts";

/** undefined: everything is in the home directory. */
export function databaseUrl(): string | undefined {
  const url = process.env.DATABASE_URL;
  if (url === undefined || url === "") return undefined;
  if (/^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? "")) return url;
  // Without the value: it may hold a password.
  throw new PdppError("invalid_request", "DATABASE_URL is no postgres:// address", {
    next_step: "Correct it, or unset it to keep everything in the home directory.",
  });
}

/** Ready for use: of the right version, with all tables. `note` is told when it is waited for. */
export async function databaseNamed(note?: (text: string) => void): Promise<DatabasePlace | undefined> {
  const url = databaseUrl();
  if (url === undefined) return undefined;
  const { prepareDatabase } = await import("../store/postgres/prepare.ts");
  return prepareDatabase(url, { owner: await ownerAsked(url), note });
}

export async function migrateDatabase(url: string): Promise<{ from: number; to: number }> {
  const postgres = await import("../store/postgres/prepare.ts");
  return postgres.migrateDatabase(url);
}

/** By name where many are hosted, or by id. */
async function ownerAsked(url: string): Promise<string | undefined> {
  const asked = process.env.PDPP_OWNER;
  if (asked === undefined || asked === "") return undefined;
  if (asked.startsWith(ID_PREFIX.subject)) return asked;
  const { subjectNamed } = await import("./owners.ts");
  return subjectNamed(url, asked);
}
