// Tests forms with files, split into chunks at every position.
import { describe, expect, test } from "vitest";
import { isMultipart, multipart, partText } from "./multipart.ts";

const BOUNDARY = "----WebKitFormBoundaryx1";
const asked = (type = `multipart/form-data; boundary=${BOUNDARY}`): Request =>
  new Request("http://x/", { method: "POST", headers: { "Content-Type": type } });

const FORM = [
  `--${BOUNDARY}`,
  'Content-Disposition: form-data; name="csrf"',
  "",
  "token",
  `--${BOUNDARY}`,
  'Content-Disposition: form-data; name="files"; filename="a %22b%22/ü.txt"',
  "Content-Type: text/plain",
  "",
  `one\r\n--${BOUNDARY.slice(0, -1)}y\r\n\r\nlast`,
  `--${BOUNDARY}`,
  'Content-Disposition: form-data; name="files"; filename=""',
  "",
  "",
  `--${BOUNDARY}--`,
  "",
].join("\r\n");

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size = 7): Promise<[string, string | undefined, string][]> {
  const found: [string, string | undefined, string][] = [];
  for await (const part of multipart(asked(), inPieces(text, size))) {
    found.push([part.name, part.filename, await partText(part, 1000)]);
  }
  return found;
}

describe("a form with files", () => {
  test("is parsed the same no matter how it is split", async () => {
    for (const size of [1, 2, 3, 5, 8, 13, 100, 10_000]) {
      expect(await read(FORM, size)).toEqual([
        ["csrf", undefined, "token"],
        ["files", 'a "b"/ü.txt', `one\r\n--${BOUNDARY.slice(0, -1)}y\r\n\r\nlast`],
        ["files", "", ""],
      ]);
    }
  });

  test("skips files that are not read", async () => {
    const names: string[] = [];
    for await (const { name } of multipart(asked(), inPieces(FORM, 5))) names.push(name);
    expect(names).toEqual(["csrf", "files", "files"]);
  });

  test("that is truncated, invalid or too long is refused", async () => {
    for (let length = 0; length < FORM.length - 4; length += 11) {
      await expect(read(FORM.slice(0, length))).rejects.toMatchObject({ code: "invalid_request" });
    }
    await expect(read(FORM.replace('name="csrf"', `name="${"x".repeat(20_000)}"`))).rejects.toThrow("too long");
    await expect(read(FORM.replace("token", "t".repeat(2000)))).rejects.toThrow("too long");
    await expect(read(FORM.replace(`${BOUNDARY}\r\n`, `${BOUNDARY}?\r\n`))).rejects.toThrow("unexpected data");
  });

  test("is recognised by its content type", () => {
    expect(isMultipart(asked())).toBe(true);
    expect(isMultipart(asked('multipart/form-data; charset=utf-8; boundary="a b"'))).toBe(true);
    expect(isMultipart(asked("application/x-www-form-urlencoded"))).toBe(false);
    expect(isMultipart(asked("multipart/form-data"))).toBe(false);
  });
});
