// Ids of new connections.
import { expect, it } from "vitest";
import { newConnectionId } from "./ids.ts";

it("C-05 a new connection gets a short id that is not in use", () => {
  const taken = new Set<string>();
  const id = newConnectionId((candidate) => {
    if (taken.size === 3) return false;
    taken.add(candidate);
    return true;
  });
  expect(id).toMatch(/^cin_[a-z2-9]{6}$/);
  expect(taken).not.toContain(id);
});
