// The error for any invalid query to any call is written in plain words, not in zod's.
import { expect, it } from "vitest";
import { z } from "zod";
import { firstIssue } from "../../contract/issue.ts";
import { CALLS } from "./calls.ts";

const WRONG = [undefined, null, -1, 1.5, 1e12, "", "?", "x".repeat(20_000), [], {}, ["?"], { a: 1 }, true, [[1]]];
/** Phrases from zod's own messages. */
const FROM_ZOD =
  /invalid input|invalid option|too small|too big|unrecognized|expected|invalid (string|key|element|iso|url)/i;

it("O-08 an invalid value for any parameter of any call is explained in plain words", () => {
  const messages = new Set<string>();
  for (const [name, { query }] of Object.entries(CALLS)) {
    const shape = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
    for (const member of [...shape, "constructor2"])
      for (const value of WRONG) {
        const parsed = query.safeParse({ [member]: value });
        if (parsed.success) continue;
        const { message } = firstIssue(parsed.error);
        messages.add(message);
        expect(message, `${name}.${member} = ${JSON.stringify(value)?.slice(0, 40)}`).not.toMatch(FROM_ZOD);
      }
  }
  expect([...messages]).toEqual(
    expect.arrayContaining(["is missing", "must be a string", '"constructor2" is not recognised']),
  );
});
