// P-01: blobs are stored once and served in ranges, only through a readable record and a granted field, on disk and in
// S3.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blobOfName } from "../../src/engine/blob-files.ts";
import { homeObjects, type ObjectPlace, openObjects } from "../../src/engine/objects-place.ts";
import { type Loose, readAnswer, type TestServer, testServer } from "../harness.ts";
import { book, library } from "../library.ts";
import { checkResponse } from "../response-check.ts";

const BYTES = Buffer.from(Array.from({ length: 1000 }, (_, n) => n % 251));
/** `storage` is called once, before the server starts. undefined means that the bytes are in the home. */
export function blobCases(storage: () => Promise<ObjectPlace | undefined>): void {
  let server: TestServer;
  let connection: string;
  let blob: Loose;
  let objects: ReturnType<typeof openObjects>;
  beforeAll(async () => {
    const place = await storage();
    server = await testServer({ objects: place });
    objects = openObjects(place ?? homeObjects(server.home));
    await server.register("library", library);
    connection = await server.connect("library");
    blob = (await upload(BYTES)).body;
    await server.ingest("books", connection, [
      book("cover", { title: "t", cover: { ...blob }, published_at: "2024-01-01T00:00:00Z" }),
    ]);
  });
  afterAll(() => server.close());

  async function upload(
    bytes: Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = { "Content-Type": "image/png" },
    token = server.owner,
  ) {
    const response = await fetch(`${server.url}/v1/blobs?stream=books&connection_id=${connection}&record_key=cover`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, ...headers },
      body: bytes,
    });
    return readAnswer("POST", response);
  }

  async function download(
    headers: Record<string, string> = {},
    token = server.owner,
    method = "GET",
    id = blob.blob_id,
  ) {
    const response = await fetch(`${server.url}/v1/blobs/${id}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...headers },
    });
    const { status, headers: answered, url } = response;
    const bytes = Buffer.from(await response.arrayBuffer());
    checkResponse(method, url, { status, text: bytes.toString("latin1") });
    return { status, headers: answered, bytes };
  }

  describe("P-01 uploading", () => {
    test("P-01 an upload returns id, type, size and digest; equal bytes are one blob, stored once", async () => {
      expect(blob).toEqual({
        object: "blob",
        blob_id: expect.stringMatching(/^blob_[\w-]{43}$/),
        mime_type: "image/png",
        size_bytes: 1000,
        sha256: createHash("sha256").update(BYTES).digest("hex"),
      });
      const again = await upload(BYTES);
      expect([again.status, again.body]).toEqual([201, blob]);
      const files: string[] = [];
      for await (const { name } of objects.list("blobs/")) files.push(name);
      expect(files.map((name) => blobOfName(name)?.blobId)).toEqual([blob.blob_id]);
    });

    test("P-01 an upload needs an existing stream and the owner's token", async () => {
      const { access_token: token } = await server.grant({ selections: [{ connection_id: connection }] });
      expect((await upload(BYTES, {}, token)).body.error.code).toBe("insufficient_scope");
      const nowhere = await server.call("POST", "/v1/blobs", { query: { stream: "nowhere" }, body: "x" });
      expect([nowhere.status, nowhere.body.error.code]).toEqual([404, "not_found"]);
      expect((await server.call("POST", "/v1/blobs", { body: "x" })).body.error).toMatchObject({
        code: "invalid_request",
        param: "stream",
      });
    });

    test("P-01 a type that is too long is refused and leaves no file behind", async () => {
      const bytes = Buffer.from("of a strange type");
      const refused = await upload(bytes, { "Content-Type": `text/${"x".repeat(300)}` });
      expect(refused.body.error.code).toBe("invalid_request");
      const name = createHash("sha256").update(bytes).digest("base64url");
      for await (const found of objects.list("blobs/")) expect(blobOfName(found.name)?.blobId).not.toBe(`blob_${name}`);
    });
  });

  describe("P-01 downloading", () => {
    test("P-01 a record's blob reference contains a working address", async () => {
      const { body } = await server.get("/v1/streams/books/records/cover");
      const { fetch_url: address } = body.data.cover;
      expect(address).toBe(`/v1/blobs/${blob.blob_id}?connection_id=${connection}`);
      const { status } = await fetch(server.url + address, { headers: { Authorization: `Bearer ${server.owner}` } });
      expect(status).toBe(200);
    });

    test("P-01 a download returns the bytes, with headers that keep browsers from rendering them as a page", async () => {
      const { status, headers, bytes } = await download();
      expect([status, bytes.equals(BYTES)]).toEqual([200, true]);
      expect(
        Object.fromEntries(
          [
            "content-type",
            "content-length",
            "accept-ranges",
            "etag",
            "content-disposition",
            "cache-control",
            "x-content-type-options",
          ].map((name) => [name, headers.get(name)]),
        ),
      ).toEqual({
        "content-type": "image/png",
        "content-length": "1000",
        "accept-ranges": "bytes",
        etag: `"${blob.sha256}"`,
        "content-disposition": "attachment",
        "cache-control": "private, no-store",
        "x-content-type-options": "nosniff",
      });
    });

    test.each([
      ["bytes=0-9", 0, 9],
      ["bytes=0-0", 0, 0],
      ["bytes=100-199", 100, 199],
      ["bytes=990-", 990, 999],
      ["bytes=990-5000", 990, 999],
      ["bytes=-10", 990, 999],
      ["bytes=-5000", 0, 999],
      ["bytes=0-", 0, 999],
    ])("P-01 Range: %s returns bytes %i to %i", async (range, start, end) => {
      const { status, headers, bytes } = await download({ Range: range });
      expect([status, headers.get("content-range"), headers.get("content-length")]).toEqual([
        206,
        `bytes ${start}-${end}/1000`,
        String(end - start + 1),
      ]);
      expect(bytes.equals(BYTES.subarray(start, end + 1))).toBe(true);
    });

    test.each(["bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=5-4"])(
      "P-01 Range: %s is not satisfiable",
      async (range) => {
        const { status, headers, bytes } = await download({ Range: range });
        expect([status, headers.get("content-range"), bytes.length, headers.get("pdpp-version")]).toEqual([
          416,
          "bytes */1000",
          0,
          "2026-04-06",
        ]);
      },
    );

    test.each(["bytes=0-1,5-6", "lines=1-2", "bytes=-", "bytes=a-b", ""])(
      "P-01 Range: %j returns the whole blob",
      async (range) => {
        const { status, bytes } = await download({ Range: range });
        expect([status, bytes.length]).toEqual([200, 1000]);
      },
    );

    test("P-01 HEAD returns only the headers, even for ranges", async () => {
      const whole = await download({}, server.owner, "HEAD");
      expect([whole.status, whole.headers.get("content-length"), whole.bytes.length]).toEqual([200, "1000", 0]);
      const part = await download({ Range: "bytes=0-9" }, server.owner, "HEAD");
      expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 0-9/1000"]);
    });

    test("P-01 an empty blob downloads as zero bytes", async () => {
      const empty = (await upload(Buffer.alloc(0))).body;
      await server.ingest("books", connection, [book("empty", { cover: empty })]);
      const { status, bytes, headers } = await download({}, server.owner, "GET", empty.blob_id);
      expect([status, bytes.length, headers.get("content-length")]).toEqual([200, 0, "0"]);
    });
  });

  describe("P-02 authority", () => {
    const status = async (token: string, id = blob.blob_id): Promise<unknown> => {
      const { body, status: code } = await server.get(`/v1/blobs/${id}`, { token });
      return body?.error?.code ?? code;
    };
    const grant = async (selection: Record<string, unknown>): Promise<string> =>
      (await server.grant({ selections: [{ connection_id: connection, stream: "books", ...selection }] })).access_token;

    test("P-02 a blob can be read only through a readable record and a granted field", async () => {
      expect(await status(await grant({ fields: ["cover"] }))).toBe(200);
      expect(await status(await grant({}))).toBe(200);
      expect(await status(await grant({ fields: ["title"] }))).toBe("blob_not_found");
      expect(await status(await grant({ resources: ["other"] }))).toBe("blob_not_found");
      expect(await status(await grant({ since: "2025-01-01T00:00:00Z" }))).toBe("blob_not_found");
      const other = await server.grant({ selections: [{ connection_id: connection, stream: "authors" }] });
      expect(await status(other.access_token)).toBe("blob_not_found");
    });

    test("G-01 row 10 the type comes from the readable record, not from a hidden record with the same bytes", async () => {
      const types = { seen: "image/x-seen", odd: "text/html\r\nX-Odd: yes" };
      await server.ingest(
        "books",
        connection,
        Object.entries(types).map(([id, mime_type]) => book(id, { title: id, cover: { ...blob, mime_type } })),
      );
      const typeFor = async (id: string): Promise<string | null> =>
        (await download({}, await grant({ fields: ["cover"], resources: [id] }))).headers.get("content-type");
      expect([await typeFor("cover"), await typeFor("seen")]).toEqual(["image/png", types.seen]);
      expect(await typeFor("odd")).toBe("application/octet-stream");
      for (const id of Object.keys(types)) await server.call("DELETE", `/v1/streams/books/records/${id}`);
    });

    test("P-02 a blob that no record refers to is not found, not even by the owner", async () => {
      const orphan = (await upload(Buffer.from("orphan"))).body;
      expect(await status(server.owner, orphan.blob_id)).toBe("blob_not_found");
      for (const id of ["blob_x", "blob_..%2f..%2fkey", "%00", `blob_${"A".repeat(43)}`])
        expect(await status(server.owner, id), id).toBe("blob_not_found");
    });

    test("P-01 a blob is deleted when its last record is deleted or refers to another blob", async () => {
      const bytes = Buffer.from("short-lived");
      const made = (await upload(bytes)).body;
      await server.ingest("books", connection, [book("x1", { cover: made }), book("x2", { cover: made })]);
      await server.call("DELETE", "/v1/streams/books/records/x1");
      expect(await status(server.owner, made.blob_id)).toBe(200);
      await server.ingest("books", connection, [book("x2", { cover: null })]);
      expect(await status(server.owner, made.blob_id)).toBe("blob_not_found");
    });
  });
}
