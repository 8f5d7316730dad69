// P-07: the same blobs in S3-compatible storage; what it refuses is told, and no record names bytes that are not there.
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestServer, testServer } from "../harness.ts";
import { book, library } from "../library.ts";
import { startS3, type TestS3 } from "../s3.ts";
import { blobCases } from "./blob-cases.ts";

let s3: TestS3;
let server: TestServer;
let connection: string;
beforeAll(async () => {
  s3 = await startS3(tmpdir());
  server = await testServer({ objects: s3.place });
  await server.register("library", library);
  connection = await server.connect("library");
});
afterAll(async () => {
  await server.close();
  await s3.close();
});

describe("P-07 in S3", () => blobCases(async () => ({ ...s3.place, prefix: "cases/" })));
