// Tests how file types are detected by name and by the first bytes.
import { expect, it } from "vitest";
import { typeOfBytes, typeOfName } from "./mime.ts";

it.each([
  ["a.PDF", "application/pdf"],
  ["IMG_1.heic", "image/heic"],
  ["x.tar.gz", "application/gzip"],
  [".bashrc", "application/octet-stream"],
  ["no-ext", "application/octet-stream"],
])("the name %s has type %s", (name, type) => {
  expect(typeOfName(name)).toBe(type);
});

it.each([
  ["%PDF-1.7", "notes.txt", "application/pdf"],
  ["\x89PNG\r\n\x1a\n....", "x", "image/png"],
  ["RIFF1234WEBPVP8 ", "x.bin", "image/webp"],
  ["PK\x03\x04....", "letter.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["PK\x03\x04....", "letter.pdf", "application/zip"],
  ["just some text\n", "README", "text/plain"],
  ["just some text\n", "picture.jpg", "text/plain"],
  ["# title\n", "a.md", "text/markdown"],
  ["\0\x01\x02", "a.txt", "application/octet-stream"],
  ["\0\x01\x02", "movie.mp4", "video/mp4"],
  ["", "movie.mp4", "video/mp4"],
])("a file that begins with %j and is named %s has type %s", (head, name, type) => {
  expect(typeOfBytes(Buffer.from(head, "latin1"), name)).toBe(type);
});
