// Reads and writes of the small tables, shared by both engines.
import { authReads, authWrites } from "./auth-items.ts";
import { authorityReads, authorityWrites } from "./authority.ts";
import { itemReads, itemWrites } from "./items.ts";
import { smallReads, smallWrites } from "./small-tables.ts";
import { sourceReads, sourceWrites } from "./sources.ts";
import type { TableReads, TableWrites } from "./statements.ts";

export const tableReadsOf = (tables: TableReads) => ({
  ...authorityReads(tables),
  ...authReads(tables),
  ...sourceReads(tables),
  ...smallReads(tables),
  ...itemReads(tables),
});

/** `bumpEpoch` invalidates cached results. */
export const tableWritesOf = (tables: TableReads & TableWrites, bumpEpoch: () => void) => ({
  ...authorityWrites(tables, bumpEpoch),
  ...authWrites(tables),
  ...sourceWrites(tables, bumpEpoch),
  ...smallWrites(tables, bumpEpoch),
  ...itemWrites(tables),
});
