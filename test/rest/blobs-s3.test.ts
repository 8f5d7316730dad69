// P-07: the same blob tests, with the bytes in S3-compatible storage.
import { afterAll, beforeAll, describe } from "vitest";
import { startS3, type TestS3 } from "../s3.ts";
import { blobCases } from "./blob-cases.ts";

describe("P-07 blobs in S3", () => {
  let s3: TestS3;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3.close());
  blobCases(async () => s3.place);
});
