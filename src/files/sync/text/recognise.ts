// Recognises text in pictures with tesseract, compiled to WebAssembly. It runs entirely in this process, without
// workers or network access.
import * as crypto from "node:crypto";
import * as fs from "node:fs";
import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { gunzipSync } from "node:zlib";
import type { TextRecognition } from "./recognition.ts";

/** The part of tesseract's module that we use. */
interface TesseractModule {
  FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
  TessBaseAPI: new () => TesseractApi;
}
interface TesseractApi {
  Init(path: null, languages: string, engine: number): number;
  SetVariable(name: string, value: string): void;
  /** Returns 1 if the picture cannot be read. */
  SetImageFile(orientation: number, angle: number): number;
  Recognize(monitor: null): number;
  GetUTF8Text(): string;
  MeanTextConf(): number;
  Clear(): void;
}
type TesseractFactory = (options: object) => Promise<TesseractModule>;

const LSTM_ONLY = 1;
/** Detects the blocks of a page and its orientation automatically. */
const WHOLE_PAGE = "1";
const PICTURE = "/input";
/** Results below this confidence are shadows and textures. */
const CONFIDENCE_MIN = 40;

export interface Recogniser {
  /**
   * Returns the text of one picture, or an empty string if the confidence is too low. Throws if the picture cannot be
   * read.
   */
  textOf(picture: Uint8Array): string;
}

export async function openRecogniser({ core, languages }: TextRecognition): Promise<Recogniser> {
  const factory = await coreAt(core);
  const silent = (): void => undefined;
  const tesseract = await factory({ TesseractProgress: silent, print: silent, printErr: silent });
  for (const { name, path } of languages)
    tesseract.FS.writeFile(`./${name}.traineddata`, gunzipSync(await readFile(path)));
  const api = new tesseract.TessBaseAPI();
  if (api.Init(null, languages.map(({ name }) => name).join("+"), LSTM_ONLY) !== 0)
    throw new Error("text recognition cannot be started");
  api.SetVariable("tessedit_pageseg_mode", WHOLE_PAGE);
  return {
    textOf(picture) {
      tesseract.FS.writeFile(PICTURE, picture);
      try {
        if (api.SetImageFile(orientationOf(picture), 0) === 1) throw new Error("the picture cannot be read");
        api.Recognize(null);
        return api.MeanTextConf() < CONFIDENCE_MIN ? "" : api.GetUTF8Text().trim();
      } finally {
        api.Clear();
        tesseract.FS.unlink(PICTURE);
      }
    },
  };
}

const PARTS_OF_NODE: Readonly<Record<string, object>> = { crypto, fs, path };

/**
 * Node's CommonJS loader starts workers, which a sandboxed process cannot do, so the module gets its dependencies from
 * here.
 */
async function coreAt(file: string): Promise<TesseractFactory> {
  const module = { exports: {} };
  const source = await readFile(file, "utf8");
  const require = (name: string): object | undefined => PARTS_OF_NODE[name.replace(/^node:/, "")];
  const body = new Function("module", "exports", "require", "__filename", "__dirname", source);
  body(module, module.exports, require, file, path.dirname(file));
  return module.exports as TesseractFactory;
}

/** Reads the EXIF orientation of a photo, 1 to 8: tag 0x0112 in the first directory. */
function orientationOf(picture: Uint8Array): number {
  const head = Buffer.from(picture.buffer, picture.byteOffset, Math.min(picture.byteLength, 2048));
  for (const tag of [Buffer.from([1, 0x12, 0, 3, 0, 0, 0, 1, 0]), Buffer.from([0x12, 1, 3, 0, 1, 0, 0, 0])]) {
    const at = head.indexOf(tag);
    const value = at === -1 ? 0 : head[at + tag.length]!;
    if (value >= 1 && value <= 8) return value;
  }
  return 1;
}
