// A finance program's database (actual), which only the tables importer reads.
import { describe, expect, it } from "vitest";
import { collect, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import { tablesImporter } from "../../src/collect/importers/tables/importer.ts";
import { noSamples, sample } from "./samples.ts";

describe.skipIf(noSamples)("P-05 tables", () => {
  // Counted with Python's sqlite3: SELECT count(*) of every table in sqlite_master.
  it("every row of every table in a database is imported", async () => {
    const entries = [sample("bank-mixed/default-budget-template/db.sqlite")];
    const events = await collect(tablesImporter, entries);
    const counts: Record<string, number> = {};
    for (const { stream } of recordsOf(events)) counts[stream] = (counts[stream] ?? 0) + 1;
    expect(counts).toEqual({
      accounts: 1,
      categories: 7,
      category_groups: 3,
      category_mapping: 7,
      created_budgets: 16,
      messages_clock: 1,
      messages_crdt: 10,
      migrations: 1,
      spreadsheet_cells: 499,
      transactions: 1,
    });
    expect(events.filter(({ kind }) => kind === "error")).toEqual([]);
    expect(await refusals(tablesImporter, entries)).toEqual([]);
  });
});
