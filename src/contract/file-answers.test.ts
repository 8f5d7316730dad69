// The schemas of the files lens describe exactly what its types say: the compiler compares them.
import { describe, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type * as answers from "./file-answers.ts";
import type * as reports from "./file-report-answers.ts";
import type * as shell from "./file-shell.ts";
import type * as files from "./files.ts";

type Of<Schema extends z.ZodType> = z.infer<Schema>;

describe("S-10 schemas of answers equal the types", () => {
  it("S-10 of roots, indexes, nodes and jobs", () => {
    expectTypeOf<Of<typeof answers.fileRoot>>().toEqualTypeOf<files.FileRoot>();
    expectTypeOf<Of<typeof answers.indexOptions>>().toEqualTypeOf<files.IndexOptions>();
    expectTypeOf<Of<typeof answers.fileTotals>>().toEqualTypeOf<files.FileTotals>();
    expectTypeOf<Of<typeof answers.fileIndex>>().toEqualTypeOf<files.FileIndex>();
    expectTypeOf<Of<typeof answers.fileNode>>().toEqualTypeOf<files.FileNode>();
    expectTypeOf<Of<typeof answers.fileNodeDetail>>().toEqualTypeOf<files.FileNodeDetail>();
    expectTypeOf<Of<typeof answers.fileJob>>().toEqualTypeOf<files.FileJob>();
    expectTypeOf<Of<typeof answers.scanStarted>>().toEqualTypeOf<shell.IndexResult>();
    expectTypeOf<Omit<answers.FileTree, "job" | "nextPageUrl">>().toExtend<files.FileListing>();
    expectTypeOf<answers.FileNodeRead["urls"]>().toEqualTypeOf<shell.InspectResult["urls"]>();
  });

  it("S-10 of searches, reports, selections, queries and sessions", () => {
    expectTypeOf<Of<typeof reports.fileFilter>>().toEqualTypeOf<files.FileFilter>();
    expectTypeOf<Of<typeof reports.filterPlan>>().toEqualTypeOf<files.FilterPlan>();
    expectTypeOf<Omit<reports.FoundEntries, "nextPageUrl">>().toExtend<files.FoundNodes>();
    expectTypeOf<Of<typeof reports.typeShare>>().toEqualTypeOf<files.TypeShare>();
    expectTypeOf<Of<typeof reports.ageShare>>().toEqualTypeOf<files.AgeShare>();
    expectTypeOf<Of<typeof reports.fileScan>>().toEqualTypeOf<files.FileScan>();
    expectTypeOf<Of<typeof reports.grownDir>>().toEqualTypeOf<files.GrownDir>();
    expectTypeOf<reports.FileGrowth>().toExtend<files.Growth>();
    expectTypeOf<reports.FileDuplicates>().toExtend<files.Duplicates>();
    expectTypeOf<Omit<reports.ResourceSetRead, "link">>().toEqualTypeOf<shell.ResourceSetResult>();
    expectTypeOf<reports.SavedQueryList["queries"][number]>().toExtend<shell.QueryCard>();
    expectTypeOf<Of<typeof reports.queryRun>>().toEqualTypeOf<shell.QueryRunResult>();
    expectTypeOf<Of<typeof reports.fileSession>>().toEqualTypeOf<
      Pick<shell.ShellSession & shell.ShellPreferences, keyof (shell.ShellSession & shell.ShellPreferences)>
    >();
  });
});
