// Actions on the activity page: every call that may be in the log has words.
import { expect, it } from "vitest";
import { CALLS } from "../../../engine/calls/calls.ts";
import { actionWords } from "./action-words.ts";

it("V-05 the name of a call is never shown, with or without words of its own", () => {
  for (const name of [...Object.keys(CALLS), "files.job-pause", "of_another_version"])
    expect(actionWords(name)).toMatch(/^\p{Lu}[^\p{Lu}._]*$/u);
  expect([actionWords("putState"), actionWords("collectRuns")]).toEqual([
    "Saved a connector's position",
    "Collect runs",
  ]);
});
