// A failed check for changes is repeated, so earlier writes are reported even if nothing else is written.
import { expect, it } from "vitest";
import { PdppError } from "../contract/errors.ts";
import type { EngineHost } from "../engine/host.ts";
import { Notifier } from "./notifier.ts";

it("P-07 repeats a failed check for changes", async () => {
  const noted = Promise.withResolvers<unknown>();
  const log: string[] = [];
  let looks = 0;
  const answers: Record<string, (query: unknown) => unknown> = {
    lookForChanges() {
      if (++looks <= 2) throw new PdppError("store_unavailable", "the database took too long");
      return { findings: ["a change"], ended: [], more: false };
    },
    noteChanges: (query) => noted.resolve(query),
    dueEvents: () => ({ due: [] }),
  };
  const call = async (name: string, query: unknown) => answers[name]!(query);
  const notifier = new Notifier({
    host: { call } as unknown as EngineHost,
    changes: { read: () => 1, close() {} },
    log: (text) => void log.push(text),
  });
  notifier.answersAt("http://127.0.0.1");
  notifier.begin({ home: true });
  expect(await noted.promise).toEqual({ findings: ["a change"] });
  await notifier.close();
  expect(log).toEqual(["events: the database took too long (store_unavailable)"]);
});
