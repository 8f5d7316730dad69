// Queues take turns whatever their length, and each has a maximum length.
import { expect, it } from "vitest";
import { fairQueues } from "./fair-queues.ts";

it("SECURITY row 8 a caller in a short queue waits for one job of a long queue, not for all of them", async () => {
  const enqueue = fairQueues({ maxWaiting: 10 });
  const done: string[] = [];
  const piece = (name: string) => async () => void done.push(name);
  const all = ["a1", "a2", "a3", "a4"].map((name) => enqueue("alice", piece(name)));
  await enqueue("bob", piece("b1"));
  await Promise.all(all);
  await enqueue("alice", piece("a5"));
  expect(done).toEqual(["a1", "b1", "a2", "a3", "a4", "a5"].sort((a, b) => done.indexOf(a) - done.indexOf(b)));
  expect(done.indexOf("b1")).toBeLessThan(3);
});

it("SECURITY row 8 jobs run one at a time; a failure does not stop a queue; a full queue refuses new jobs", async () => {
  const enqueue = fairQueues({ maxWaiting: 3 });
  let running = 0;
  let most = 0;
  const work = async (): Promise<number> => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    return running--;
  };
  const first = enqueue("x", work);
  const rest = [enqueue("x", () => Promise.reject(new Error("no"))), enqueue("x", work), enqueue("y", work)];
  const more = [enqueue("x", work)];
  expect(() => enqueue("x", work)).toThrow(/too many/);
  await expect(rest[0]).rejects.toThrow("no");
  await Promise.all([first, ...rest.slice(1), ...more]);
  expect(most).toBe(1);
  await expect(enqueue("x", work)).resolves.toBe(1);
});
