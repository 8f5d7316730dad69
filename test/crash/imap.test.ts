// Kills a few runs of the IMAP connector. `npm run soak -- imap 50` kills many.
import { expect, it } from "vitest";
import { runImapCrashes } from "./imap-crashes.ts";

it("P-05 killed runs of the IMAP connector do not change its final result", async () => {
  expect(await runImapCrashes({ seed: 5, kills: 2, messages: 60 })).toBeGreaterThanOrEqual(2);
});
