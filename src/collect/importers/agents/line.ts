// The records found in one log line.
import type { FoundRecord } from "../../importer.ts";

export interface LineFound {
  records?: Pick<FoundRecord, "stream" | "key" | "data">[];
  /** Skipped on purpose. */
  skip?: string;
  /** The line is not valid for its kind. */
  error?: string;
}
