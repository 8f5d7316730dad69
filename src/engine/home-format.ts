// The format of a home, and the format that this version of pdpp writes.
import { join } from "node:path";
import { MIGRATIONS } from "../store/sqlite/schema.ts";
import { FILES } from "../store/sqlite/sqlite-store.ts";
import { formatOfFile } from "../store/sqlite/upgrade-copy.ts";

export const HOME_FORMAT = MIGRATIONS.records.length;

/** Returns undefined if there is no home. */
export const homeFormat = (home: string): number | undefined => formatOfFile(join(home, FILES.records));
