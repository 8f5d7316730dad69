// The database that the environment names: DATABASE_URL, and PDPP_OWNER where it holds several owners.
import type { DatabasePlace } from "../../store/place.ts";
import { UsageError } from "./command.ts";

export function databaseUrl(): string | undefined {
  const url = process.env.DATABASE_URL;
  if (url === undefined || url === "") return undefined;
  if (/^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? "")) return url;
  // Without the value: it may hold a password.
  throw new UsageError("DATABASE_URL is a postgres:// address; unset it to keep everything in the home directory");
}

/** Ready for use: of the right version, with all tables. undefined: everything is in the home directory. */
export async function databaseOf(): Promise<DatabasePlace | undefined> {
  const url = databaseUrl();
  if (url === undefined) return undefined;
  const { prepareDatabase } = await import("../../store/postgres/prepare.ts");
  return prepareDatabase(url, process.env.PDPP_OWNER || undefined);
}
