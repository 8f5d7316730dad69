// Tests that every call that can appear in the log has a description on the activity page.
import { expect, it } from "vitest";
import { CALLS } from "../../../engine/calls/calls.ts";
import { actionWords } from "./action-words.ts";

it("V-05 never shows the name of a call, with or without a description", () => {
  for (const name of [...Object.keys(CALLS), "files.job-pause", "of_another_version"])
    expect(actionWords(name)).toMatch(/^\p{Lu}[^\p{Lu}._]*$/u);
  expect([actionWords("putState"), actionWords("collectRuns")]).toEqual([
    "Saved a connector's position",
    "Collect runs",
  ]);
});
