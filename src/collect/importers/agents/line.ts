// The records of one line of a log.
import type { FoundRecord } from "../../importer.ts";

export interface LineFound {
  records?: Pick<FoundRecord, "stream" | "key" | "data">[];
  /** Left out on purpose. */
  skip?: string;
  /** Not what its kind of line is. */
  error?: string;
}
