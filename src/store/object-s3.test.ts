// Objects in S3-compatible storage follow the contract. Failures become PdppErrors, after retries where those can help.
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startS3, type TestS3 } from "../../test/s3.ts";
import { s3Objects } from "./object-s3.ts";
import type { ListedObject, ObjectStorage } from "./objects.ts";
import { objectsContract } from "./objects-contract.fixture.ts";

/** Long enough for a busy machine. The test server fails if a completion is sent again while it is still running. */
const quick = { timeoutMs: 240_000, pausesMs: [1, 1, 1] };

objectsContract("P-07 object storage in S3", async () => {
  const s3 = await startS3();
  return { objects: s3Objects(s3.place, quick), close: () => s3.close() };
});

async function* one(bytes: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(bytes);
}

describe("P-07 the S3 client", () => {
  /** Only for tests in which the server never responds, because a busy machine may take longer than this. */
  const shortTimeout = { ...quick, timeoutMs: 300 };
  let s3: TestS3;
  let objects: ObjectStorage;
  beforeAll(async () => {
    s3 = await startS3();
    objects = s3Objects(s3.place, quick);
    await objects.put("here", one("bytes"));
  });
  afterEach(() => s3.onRequest(undefined));
  afterAll(() => s3.close());

  const failure = async (work: Promise<unknown>): Promise<{ code: string; message: string }> => {
    const error = await work.then(
      () => undefined,
      (reason: { code: string; message: string }) => reason,
    );
    const text = JSON.stringify({ ...error, message: error?.message });
    for (const secret of [s3.place.secret, s3.place.endpoint, "Signature="]) expect(text).not.toContain(secret);
    return { code: error!.code, message: error!.message };
  };
  /** Responds to the first few requests with this status. */
  const answering = (status: number, times: number, code = ""): { asked: () => number } => {
    let asked = 0;
    s3.onRequest((request, response) => {
      if (++asked > times) return false;
      request.resume();
      response.writeHead(status).end(code === "" ? "" : `<Error><Code>${code}</Code></Error>`);
      return true;
    });
    return { asked: () => asked };
  };

  test("reports a missing bucket or refused keys before any object is requested", async () => {
    await s3Objects(s3.place, quick).check();
    expect(await failure(s3Objects({ ...s3.place, bucket: "elsewhere" }, quick).check())).toEqual({
      code: "store_unavailable",
      message: "the object storage returned NoSuchBucket: there is no such bucket",
    });
    expect(await failure(s3Objects({ ...s3.place, keyId: "nobody" }, quick).check())).toMatchObject({
      code: "store_unavailable",
    });
  });

  test.each([500, 502, 503, 504, 429])("retries after a temporary %i, and sends the bytes again", async (status) => {
    answering(status, 3);
    await objects.put("again", one("the same"));
    expect((await buffer((await objects.open("again"))!)).toString()).toBe("the same");
  });

  test("reports a persistent failure after four attempts", async () => {
    const { asked } = answering(503, Number.POSITIVE_INFINITY, "SlowDown");
    expect(await failure(objects.put("never", one("x")))).toEqual({
      code: "store_unavailable",
      message: "the object storage returned SlowDown",
    });
    expect(asked()).toBe(4);
  });

  test.each([
    [403, "SignatureDoesNotMatch", "store_unavailable", /secret key/],
    [403, "", "store_unavailable", /not allowed/],
    [404, "NoSuchBucket", "store_unavailable", /no such bucket/],
    [301, "PermanentRedirect", "store_unavailable", /region/],
    [507, "XMinioStorageFull", "storage_full", /full/],
    [507, "", "storage_full", /full/],
  ])("on %i %s, tries once and reports %s", async (status, said, code, message) => {
    const { asked } = answering(status, Number.POSITIVE_INFINITY, said);
    expect(await failure(objects.put("refused", one("x")))).toEqual({ code, message: expect.stringMatching(message) });
    expect(asked()).toBe(1);
  });

  test("does not report a missing bucket as a missing object", async () => {
    const elsewhere = s3Objects({ ...s3.place, bucket: "nowhere" }, quick);
    expect((await failure(elsewhere.open("here"))).message).toMatch(/no such bucket/);
    expect((await failure(elsewhere.put("here", one("x")))).message).toMatch(/no such bucket/);
  });

  test("reports that the server refuses a wrong secret", async () => {
    const other = s3Objects({ ...s3.place, secret: "another" }, quick);
    expect((await failure(other.put("x", one("x")))).message).toMatch(/SignatureDoesNotMatch/);
  });

  test("reports a refused connection, and a server that never responds", async () => {
    const nobody = s3Objects({ ...s3.place, endpoint: "http://127.0.0.1:1" }, quick);
    expect(await failure(Promise.resolve(nobody.size("here")))).toMatchObject({
      code: "store_unavailable",
      message: expect.stringMatching(/cannot be reached/),
    });
    s3.onRequest(() => true);
    const silent = s3Objects(s3.place, shortTimeout);
    expect((await failure(silent.put("slow", one("x")))).message).toMatch(/no response in time/);
  });

  test("reports a response that stops in the middle as a failure", async () => {
    s3.onRequest((_request, response) => {
      response.writeHead(200, { "Content-Length": "10" });
      response.write("half");
      return true;
    });
    const stalled = s3Objects(s3.place, shortTimeout);
    const read = async (): Promise<Buffer> => buffer((await stalled.open("here"))!);
    // On a busy machine, even the headers may be late.
    expect((await failure(read())).message).toMatch(/cannot be reached|no response in time/);
    s3.onRequest((_request, response) => {
      response.writeHead(200, { "Content-Length": "10" });
      response.write("half", () => response.destroy());
      return true;
    });
    expect((await failure(buffer((await objects.open("here"))!))).message).toMatch(/cannot be reached/);
  });

  test("aborts a large upload if its completion fails, and leaves nothing behind", async () => {
    const aborted: string[] = [];
    s3.onRequest((request, response) => {
      if (request.method === "DELETE") aborted.push(request.url!);
      if (request.method !== "POST" || !request.url!.includes("uploadId=")) return false;
      request.resume();
      // The response starts like a success.
      response.writeHead(200).end("<Error><Code>InvalidPart</Code></Error>");
      return true;
    });
    expect((await failure(objects.put("large", one(Buffer.alloc(20 * 1024 * 1024))))).message).toMatch(/InvalidPart/);
    expect(aborted).toEqual([expect.stringMatching(/large\?uploadId=/)]);
    s3.onRequest(undefined);
    expect(await objects.size("large")).toBeUndefined();
  });

  test("completes an upload even if the response to the completion is lost", async () => {
    let lost = 0;
    s3.onRequest((request, response) => {
      if (request.method !== "POST" || !request.url!.includes("uploadId=")) return false;
      if (++lost === 1) {
        response.end = (() => response.destroy()) as typeof response.end;
        return false;
      }
      request.resume();
      response.writeHead(404).end("<Error><Code>NoSuchUpload</Code></Error>");
      return true;
    });
    const bytes = Buffer.alloc(17 * 1024 * 1024, 7);
    await objects.put("lost", one(bytes));
    expect([lost, await objects.size("lost")]).toEqual([2, bytes.byteLength]);
  });
});

test("P-07 a list of several pages is read completely, with unchanged names", async () => {
  const s3 = await startS3("own/");
  const asked: (string | null)[] = [];
  const page = (keys: string[], rest: string): string => {
    const contents = keys.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><Size>7</Size></Contents>`,
    );
    return `<?xml version="1.0"?>\n<ListBucketResult>${contents.join("\n")}${rest}</ListBucketResult>`;
  };
  s3.onRequest((request, response) => {
    const { searchParams } = new URL(request.url!, s3.place.endpoint);
    const token = searchParams.get("continuation-token");
    asked.push(searchParams.get("prefix"), token);
    const next = "<NextContinuationToken>a/b+c==</NextContinuationToken>";
    response.end(
      token === null ? page(["own/x/a &amp; b", "own/x/&lt;&#x27;&#39;&gt;"], next) : page(["own/x/last"], ""),
    );
    return true;
  });
  const found: ListedObject[] = [];
  for await (const one of s3Objects(s3.place).list("x/")) found.push(one);
  await s3.close();
  const common = { sizeBytes: 7, modifiedAt: Date.parse("2026-01-02T03:04:05Z") };
  expect(found).toEqual(["x/a & b", "x/<''>", "x/last"].map((name) => ({ name, ...common })));
  expect(asked).toEqual(["own/x/", null, "own/x/", "a/b+c=="]);
});
