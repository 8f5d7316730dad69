// Text in pictures is recognised in the sandbox and marked as recognised, and files are retried after recognition is
// installed.
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { leafKey } from "../../index-schema.ts";
import { temporary } from "../../tree.fixture.ts";
import { SentStore } from "../sent-store.ts";
import { extract } from "./extract.ts";
import { Extractor } from "./extractor.ts";
import { formatOf } from "./formats.ts";
import { installedRecognition, recognitionName } from "./recognition.ts";

it("I-10 text in a screenshot is recognised in the sandbox and marked as recognised", async () => {
  const root = temporary("recognition");
  copyFileSync(fileURLToPath(new URL("./ticket.fixture.png", import.meta.url)), join(root, "ticket.png"));
  writeFileSync(join(root, "broken.png"), "no picture");
  const extractor = new Extractor(Buffer.from(root), new Set(), { recognition: installedRecognition() });
  onTestFinished(() => extractor.close());
  const read = (name: string) => extractor.textOf([Buffer.from(name)], { format: "picture", size: 1e6 });
  expect(await read("ticket.png")).toEqual({
    text: "Invoice 2024-117\nHarbour ferry, two tickets",
    isCut: false,
    isRecognised: true,
    problem: false,
  });
  expect(await read("broken.png")).toEqual({ isCut: false, problem: true });
});

it("I-10 scans and screenshots are processed if recognition is installed, and photos only on request", () => {
  const of = (extension: string, pictures: "none" | "documents" | "photos") =>
    formatOf(`a.${extension}`, extension, pictures);
  expect([of("png", "none"), of("tif", "none"), of("jpg", "none")]).toEqual([undefined, undefined, undefined]);
  expect([of("png", "documents"), of("tif", "documents"), of("jpg", "documents")]).toEqual([
    "picture",
    "picture",
    undefined,
  ]);
  expect([of("jpg", "photos"), of("txt", "photos")]).toEqual(["picture", "plain"]);
});

it("I-10 a PDF without text is processed page by page, if its pictures can be extracted", async () => {
  const reader = {
    textOf: async (picture: Uint8Array) => `page ${picture[0]}`,
    async *pdfPictures() {
      yield [Uint8Array.of(1)];
      yield [];
      yield [Uint8Array.of(3)];
    },
  };
  const empty = Buffer.from(
    "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>\nendobj\ntrailer\n<< /Size 4 /Root 1 0 R >>\n%%EOF\n",
  );
  expect(await extract("pdf", empty, reader)).toEqual({
    text: "page 1\n\n\n\npage 3",
    isCut: false,
    isRecognised: true,
  });
  expect(await extract("pdf", empty)).toEqual({ text: "", isCut: false });
});

it("I-10 files without text are retried after recognition is installed, and only then", () => {
  const store = new SentStore(join(temporary("recognition"), "sent.db"));
  onTestFinished(() => store.close());
  store.begin("here");
  store.keep([{ dir: 1, leaves: [{ key: leafKey(1, 0), body: Uint8Array.of(1) }] }]);
  const rows = [
    { number: 1, size: 1, time: 1, there: 1 },
    { number: 2, size: 1, time: 1, there: 0 },
  ];
  store.keepTexts([{ dir: 1, rows, whole: true }]);
  const state = () => [store.dirsWithoutText(), store.texts(1).map(({ number }) => number)];
  store.recognise("none");
  expect(state()).toEqual([[], [1, 2]]);
  store.recognise("eng");
  expect(state()).toEqual([[1], [1]]);
  expect(recognitionName({ core: "", languages: [{ name: "eng", path: "" }], reads: [] }, true)).toBe("eng+photos");
});
