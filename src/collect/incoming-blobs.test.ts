// Blobs that a parser sends while an earlier batch is still being stored.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { blobFileOf, blobPath } from "../engine/blob-files.ts";
import { homeObjects, openObjects } from "../engine/objects-place.ts";
import { incomingBlobs } from "./incoming-blobs.ts";

const BYTES = Buffer.from("the same attachment in two messages");
const BLOB = blobFileOf(BYTES);

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "postern-incoming-"));
  folder = join(home, "incoming");
  mkdirSync(folder);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("T-01 a blob that is sent again while its first batch is being stored keeps its bytes, and leaves no file behind", async () => {
  const incoming = incomingBlobs(openObjects(homeObjects(home)), folder);
  const send = () => incoming.take({ blob: BLOB.blobId, last: true }, BYTES);
  const { promise: resent, resolve: continueWriting } = Promise.withResolvers<void>();
  expect(await send()).toBe(true);
  const first = incoming.store([BLOB], {
    known: async () => [],
    async write(generations) {
      await resent;
      return generations.get(BLOB.blobId)!;
    },
  });
  expect(await send()).toBe(true);
  continueWriting();
  const generation = await first;
  expect(readFileSync(blobPath(home, BLOB.blobId, generation))).toEqual(BYTES);

  const second = await incoming.store([BLOB], {
    known: async () => [{ blobId: BLOB.blobId, generation }],
    write: async (generations) => generations.size,
  });
  expect(second).toBe(0);
  expect(readFileSync(blobPath(home, BLOB.blobId, generation))).toEqual(BYTES);
  expect(readdirSync(folder)).toEqual([]);
});

test("a later batch can refer to a blob of an earlier one without sending it again", async () => {
  const incoming = incomingBlobs(openObjects(homeObjects(home)), folder);
  await incoming.take({ blob: BLOB.blobId, last: true }, BYTES);
  const known: { blobId: string; generation: string | null }[] = [];
  for (let batch = 0; batch < 2; batch++) {
    expect(incoming.hasAll([BLOB])).toBe(true);
    await incoming.store([BLOB, BLOB], {
      known: async () => known,
      async write(generations) {
        for (const [blobId, generation] of generations) known.push({ blobId, generation });
      },
    });
  }
  expect(known).toHaveLength(1);
  expect(readFileSync(blobPath(home, BLOB.blobId, known[0]!.generation))).toEqual(BYTES);
});
