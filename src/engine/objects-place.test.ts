// P-07: the storage location for objects is parsed in one place, and errors explain what is wrong with it.
import { expect, test } from "vitest";
import { objectsOfOwner, objectsPlace } from "./objects-place.ts";

const KEYS = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "very secret" };
const at = (PDPP_OBJECTS: string, rest: NodeJS.ProcessEnv = KEYS) =>
  objectsPlace("/home/me", { PDPP_OBJECTS, ...rest });

test("P-07 stores objects in the home by default", () => {
  expect(objectsPlace("/home/me", {})).toEqual({ kind: "home", root: "/home/me" });
  expect(at("", {})).toEqual({ kind: "home", root: "/home/me" });
});

test.each(["/mnt/shared", "file:///mnt/shared"])("P-07 %s is a folder shared by several machines", (said) => {
  expect(at(said, {})).toEqual({ kind: "folder", root: "/mnt/shared" });
});

test("P-07 accepts a bucket at an endpoint or at AWS", () => {
  const own = { kind: "s3", keyId: "id", secret: "very secret", aside: "/home/me" };
  expect(at("s3://bucket/a%20b/c?endpoint=http://127.0.0.1:9000&region=eu-1")).toEqual({
    ...own,
    bucket: "bucket",
    prefix: "a b/c/",
    endpoint: "http://127.0.0.1:9000",
    region: "eu-1",
    pathStyle: true,
  });
  expect(at("s3://bucket", { ...KEYS, AWS_REGION: "eu-2", AWS_SESSION_TOKEN: "session" })).toEqual({
    ...own,
    bucket: "bucket",
    prefix: "",
    endpoint: "https://s3.eu-2.amazonaws.com",
    region: "eu-2",
    pathStyle: false,
    sessionToken: "session",
  });
  expect(at("s3://bucket?endpoint=https://s3.example.org&path_style=false")).toMatchObject({ pathStyle: false });
});

test("P-07 each owner has a separate part of a shared location", () => {
  expect(objectsOfOwner(at("s3://bucket/p"), "sub_1")).toMatchObject({ prefix: "p/sub_1/", aside: "/home/me/sub_1" });
  expect(objectsOfOwner(at("/mnt/shared"), "sub_1")).toEqual({ kind: "folder", root: "/mnt/shared/sub_1" });
  expect(objectsOfOwner(at(""), "sub_1")).toEqual({ kind: "folder", root: "/home/me/sub_1" });
});

test.each([
  ["s3://bucket", { AWS_SECRET_ACCESS_KEY: "very secret" }, /AWS_ACCESS_KEY_ID is missing/],
  ["s3://bucket", { AWS_ACCESS_KEY_ID: "id" }, /AWS_SECRET_ACCESS_KEY is missing/],
  ["s3:///prefix", KEYS, /no bucket/],
  ["s3://id:very%20secret@bucket", KEYS, /must not contain keys/],
  ["s3://bucket?endpont=http://x", KEYS, /no parameter endpont/],
  ["s3://bucket?endpoint=ftp://x", KEYS, /endpoint must be an http or https address/],
  ["s3://bucket?path_style=yes", KEYS, /path_style must be true or false/],
  ["relative/folder", KEYS, /absolute path/],
  ["https://bucket.s3.amazonaws.com", KEYS, /absolute path/],
])("P-07 %s is refused with an explanation that never contains a key", (said, keys, message) => {
  let refused: unknown;
  try {
    at(said, keys);
  } catch (error) {
    refused = error;
  }
  expect(refused).toMatchObject({ code: "invalid_request", message: expect.stringMatching(message) });
  expect(refused).toMatchObject({
    details: { param: "PDPP_OBJECTS", next_step: expect.stringContaining("s3://bucket") },
  });
  expect(JSON.stringify([refused, (refused as Error).message])).not.toMatch(/very|secret(?!_)/);
});
