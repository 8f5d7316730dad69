// A few killed runs of the IMAP connector; `npm run soak -- imap 50` has many.
import { expect, it } from "vitest";
import { runImapCrashes } from "./imap-crashes.ts";

it("P-05 runs of the IMAP connector that are killed change nothing of where it ends", async () => {
  expect(await runImapCrashes({ seed: 5, kills: 2, messages: 60 })).toBeGreaterThanOrEqual(2);
});
