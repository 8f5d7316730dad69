// A small S3 server from npm on loopback, with a separate bucket for each test.
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { S3Place } from "../src/store/objects.ts";

const require = createRequire(import.meta.url);
const S3rver = require("@20minutes/s3rver") as new (
  options: object,
) => {
  configureBuckets(): Promise<unknown>;
  callback(): RequestListener;
  logger: { exceptions: { unhandle(): void } };
};

const BUCKET = "postern";
/** The only credentials that the server accepts. */
const KEYS = { keyId: "S3RVER", secret: "S3RVER" };

export interface TestS3 {
  place: S3Place;
  /** The value for PDPP_OBJECTS. */
  address: string;
  /** Called with each request before the server responds. A test can respond itself and return true. */
  onRequest(hook: ((...request: Parameters<RequestListener>) => boolean) | undefined): void;
  close(): Promise<void>;
}

export async function startS3(prefix = "own er/"): Promise<TestS3> {
  const folder = mkdtempSync(join(tmpdir(), "postern-s3-"));
  const directory = join(folder, "buckets");
  // The local folder for incomplete uploads.
  const aside = join(folder, "aside");
  mkdirSync(aside);
  const bucket = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets: [{ name: BUCKET }] });
  // The package must not handle the tests' uncaught exceptions.
  bucket.logger.exceptions.unhandle();
  await bucket.configureBuckets();
  const answer = bucket.callback();
  let hook: Parameters<TestS3["onRequest"]>[0];
  const server = createServer((request, response) => {
    if (!hook?.(request, response)) answer(request, response);
  });
  const endpoint = await listening(server);
  return {
    place: { kind: "s3", endpoint, region: "us-east-1", bucket: BUCKET, prefix, pathStyle: true, ...KEYS, aside },
    address: `s3://${BUCKET}/${encodeURIComponent(prefix.slice(0, -1))}?endpoint=${encodeURIComponent(endpoint)}`,
    onRequest(next) {
      hook = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
