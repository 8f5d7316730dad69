// The files lens has types that are written beside their schemas. The compiler checks here that they match.
import { describe, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type * as answers from "./file-answers.ts";
import type * as reports from "./file-report-answers.ts";
import type * as shell from "./file-shell.ts";
import type * as files from "./files.ts";

type Of<Schema extends z.ZodType> = z.infer<Schema>;

describe("S-10 response schemas", () => {
  it("S-10 match the types of listings and nodes", () => {
    expectTypeOf<Omit<answers.FileTree, "job" | "nextPageUrl">>().toExtend<files.FileListing>();
    expectTypeOf<answers.FileNodeRead["urls"]>().toEqualTypeOf<shell.InspectResult["urls"]>();
  });

  it("S-10 match the types of filters, searches and reports", () => {
    expectTypeOf<Of<typeof reports.fileFilter>>().toEqualTypeOf<files.FileFilter>();
    expectTypeOf<Of<typeof reports.filterPlan>>().toEqualTypeOf<files.FilterPlan>();
    expectTypeOf<Omit<reports.FoundEntries, "nextPageUrl">>().toExtend<files.FoundNodes>();
    expectTypeOf<reports.FileGrowth>().toExtend<files.Growth>();
    expectTypeOf<reports.FileDuplicates>().toExtend<files.Duplicates>();
  });
});
