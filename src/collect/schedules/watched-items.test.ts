// Tests that the processed items of each watched folder are stored, even if several folders are checked at the same
// time.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { watchedItems } from "./watched-items.ts";

const home = mkdtempSync(join(tmpdir(), "pdpp-watched-items-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("P-05 folders that are checked at the same time do not affect each other", async () => {
  const folders = Array.from({ length: 20 }, (_, number) => `/folder-${number}`);
  const all = await Promise.all(folders.map((folder) => watchedItems(home, folder, "")));
  await Promise.all(all.flatMap((items) => ["one", "two"].map((name) => items.done(name, "as it is"))));
  for (const folder of folders) {
    const items = await watchedItems(home, folder, "");
    expect([items.isDone("one", "as it is"), items.isDone("two", "as it is")], folder).toEqual([true, true]);
    expect(items.isDone("one", "changed")).toBe(false);
  }
  expect(readdirSync(home)).toEqual(["watched.json"]);
});

test("P-05 an unreadable list of processed items counts as empty, and is replaced by a valid one", async () => {
  writeFileSync(join(home, "watched.json"), '{"/folder-0":');
  const items = await watchedItems(home, "/folder-0", "");
  expect(items.isDone("one", "as it is")).toBe(false);
  await items.done("one", "as it is");
  expect((await watchedItems(home, "/folder-0", "")).isDone("one", "as it is")).toBe(true);
});
