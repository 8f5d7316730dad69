// A message of the largest size that providers allow, under the thread and memory limits of an import.
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { importWorld } from "../../import.fixture.ts";

let world: ReturnType<typeof importWorld>;
beforeEach(() => {
  world = importWorld();
});
afterEach(() => world.close());

const mail = (id: string, body: string): string =>
  `From ann@example.com Wed Aug 21 16:20:36 2013\nMessage-ID: <${id}@example.com>\nDate: Fri, 1 Mar 2024 10:00:00 +0100\n${body}\n\n`;

test("P-05 a message with a 40 MB attachment is imported, and so are the messages around it", async () => {
  const file = randomBytes(40 * 1024 * 1024);
  const lines = file.toString("base64").replace(/.{76}/g, "$&\n");
  const attached = `Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: application/zip\nContent-Transfer-Encoding: base64\n\n${lines}\n--b--`;
  world.put("a.mbox", mail("one", "\nbefore") + mail("two", attached) + mail("three", "\nbehind"));
  const job = await world.one(["a.mbox"], { real: true });
  expect(job.progress.counts).toEqual({ imported: 3, changed: 0, unchanged: 0, skipped: 0, failed: 0 });
  const two = (await world.records("messages")).find(({ data }) => data.message_id === "two@example.com")!;
  expect(two.data.attachments).toMatchObject([{ blob_ref: { size_bytes: file.length } }]);
});
