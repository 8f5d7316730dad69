// Actions on the activity page: every call that can be in the log has a description.
import { expect, it } from "vitest";
import { CALLS } from "../../../engine/calls/calls.ts";
import { actionWords } from "./action-words.ts";

it("V-05 the name of a call is never shown, with or without a description", () => {
  for (const name of [...Object.keys(CALLS), "files.job-pause", "of_another_version"])
    expect(actionWords(name)).toMatch(/^\p{Lu}[^\p{Lu}._]*$/u);
  expect([actionWords("putState"), actionWords("collectRuns")]).toEqual([
    "Saved a connector's position",
    "Collect runs",
  ]);
});
