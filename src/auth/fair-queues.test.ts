// Queues take turns whatever their length, and each has a maximum length.
import { expect, it } from "vitest";
import { fairQueues } from "./fair-queues.ts";

it("SECURITY row 8 a caller in a short queue waits for one job of a long queue, not for all of them", async () => {
  const inLine = fairQueues({ longest: 10 });
  const done: string[] = [];
  const piece = (name: string) => async () => void done.push(name);
  const all = ["a1", "a2", "a3", "a4"].map((name) => inLine("alice", piece(name)));
  await inLine("bob", piece("b1"));
  await Promise.all(all);
  await inLine("alice", piece("a5"));
  expect(done).toEqual(["a1", "b1", "a2", "a3", "a4", "a5"].sort((a, b) => done.indexOf(a) - done.indexOf(b)));
  expect(done.indexOf("b1")).toBeLessThan(3);
});

it("SECURITY row 8 jobs run one at a time; a failure does not stop a queue; a full queue refuses new jobs", async () => {
  const inLine = fairQueues({ longest: 3 });
  let running = 0;
  let most = 0;
  const work = async (): Promise<number> => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    return running--;
  };
  const first = inLine("x", work);
  const rest = [inLine("x", () => Promise.reject(new Error("no"))), inLine("x", work), inLine("y", work)];
  const more = [inLine("x", work)];
  expect(() => inLine("x", work)).toThrow(/too many/);
  await expect(rest[0]).rejects.toThrow("no");
  await Promise.all([first, ...rest.slice(1), ...more]);
  expect(most).toBe(1);
  await expect(inLine("x", work)).resolves.toBe(1);
});
