// Extracts the pictures on a PDF's pages as the scanner stored them, in a simple format that tesseract reads.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The part of PDF.js that we use. */
interface PdfModule {
  OPS: Record<string, number>;
  getDocument(options: object): { promise: Promise<PdfDocument> };
}
interface PdfDocument {
  numPages: number;
  getPage(number: number): Promise<PdfPage>;
  loadingTask: { destroy(): Promise<void> };
}
interface PdfPage {
  getOperatorList(): Promise<{ fnArray: number[]; argsArray: unknown[][] }>;
  objs: PdfObjects;
  commonObjs: PdfObjects;
  cleanup(): void;
}
interface PdfObjects {
  get(name: string, then: (value: unknown) => void): void;
}
interface PdfPicture {
  width: number;
  height: number;
  /** 1 is one bit per pixel, 2 is three bytes, 3 is four bytes. */
  kind: number;
  data: Uint8Array;
}

/** Smaller pictures are logos and lines. */
const PIXELS_MIN = 100_000;
/** A page at 600 dots per inch has 35 million pixels. */
const PIXELS_MAX = 60_000_000;
const PICTURES_OF_A_PAGE = 4;

/** Yields the pictures of one page at a time. */
export async function* pdfPictures(folder: string, bytes: Uint8Array): AsyncGenerator<Uint8Array[]> {
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(folder, "legacy", "build", file)).href);
  const { OPS, getDocument } = (await load("pdf.mjs")) as PdfModule;
  // The text reader uses another copy of PDF.js, and both look for their worker here.
  const shared = globalThis as { pdfjsWorker?: unknown };
  const { pdfjsWorker } = shared;
  shared.pdfjsWorker = await load("pdf.worker.mjs");
  const document = await getDocument({
    data: new Uint8Array(bytes),
    verbosity: 0,
    useSystemFonts: false,
    stopAtErrors: false,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    wasmUrl: join(folder, "wasm", "/"),
  }).promise;
  const drawing = new Set([OPS.paintImageXObject, OPS.paintInlineImageXObject]);
  try {
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { fnArray, argsArray } = await page.getOperatorList();
      const found: Uint8Array[] = [];
      for (const [index, operation] of fnArray.entries()) {
        if (!drawing.has(operation) || found.length >= PICTURES_OF_A_PAGE) continue;
        const picture = pictureOf(await argumentOf(page, argsArray[index]![0]));
        if (picture !== undefined) found.push(portable(picture));
      }
      page.cleanup();
      yield found;
    }
  } finally {
    await document.loadingTask.destroy();
    shared.pdfjsWorker = pdfjsWorker;
  }
}

/** Returns the picture itself, or looks it up by name in the page or the document. */
function argumentOf(page: PdfPage, value: unknown): Promise<unknown> | unknown {
  if (typeof value !== "string") return value;
  return new Promise((resolve) => (value.startsWith("g_") ? page.commonObjs : page.objs).get(value, resolve));
}

function pictureOf(value: unknown): PdfPicture | undefined {
  const { width, height, kind, data } = Object(value) as Partial<PdfPicture>;
  if (!Number.isInteger(width) || !Number.isInteger(height) || kind === undefined || !ArrayBuffer.isView(data))
    return undefined;
  const pixels = width! * height!;
  return pixels < PIXELS_MIN || pixels > PIXELS_MAX ? undefined : { width: width!, height: height!, kind, data };
}

/**
 * Encodes a picture as PNM, which is a line of text followed by the pixels. A set bit is white in PDF.js but black in
 * PNM.
 */
function portable({ width, height, kind, data }: PdfPicture): Uint8Array {
  const head = (magic: string, depth = "\n255"): Buffer => Buffer.from(`${magic}\n${width} ${height}${depth}\n`);
  if (kind === 1) return Buffer.concat([head("P4", ""), Uint8Array.from(data, (byte) => 255 - byte)]);
  if (kind === 2) return Buffer.concat([head("P6"), Buffer.from(data.buffer, data.byteOffset, data.byteLength)]);
  const grey = new Uint8Array(width * height);
  for (let pixel = 0, at = 0; pixel < grey.length; pixel++, at += 4)
    grey[pixel] = (data[at]! * 3 + data[at + 1]! * 6 + data[at + 2]!) / 10;
  return Buffer.concat([head("P5"), grey]);
}
