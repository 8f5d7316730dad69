// The records of one line of a log.
import type { FoundRecord } from "../../importer.ts";

export interface LineFound {
  records?: Pick<FoundRecord, "stream" | "key" | "data">[];
  /** Skipped on purpose. */
  skip?: string;
  /** Not valid for its kind of line. */
  error?: string;
}
