// Finds out which of the optional packages for text recognition are installed, and says how to add them.
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export interface TextRecognition {
  /** The path of tesseract's core, compiled to WebAssembly. */
  core: string;
  /** The data files of each language. */
  languages: { name: string; path: string }[];
  /** The folder of a PDF reader that supports scanner formats. Without it, only common picture formats are read. */
  pdf?: string;
  /** Folders that the process may read. */
  reads: string[];
}

const CORE = "tesseract.js-core";
const DATA = "@tesseract.js-data";
const PDF = "pdfjs-dist";
const RECOGNITION_ADVICE = `npm install ${CORE} ${DATA}/eng ${PDF}`;
/** More languages at once would slow down each page. */
const LANGUAGES_MAX = 4;

const require = createRequire(import.meta.url);

function folderOf(name: string): string | undefined {
  try {
    return realpathSync(dirname(require.resolve(`${name}/package.json`)));
  } catch {
    return undefined;
  }
}

let known: { recognition: TextRecognition | undefined } | undefined;

/**
 * Returns undefined if a package is missing. Checks once, because packages are not installed while the program runs.
 */
export function installedRecognition(): TextRecognition | undefined {
  known ??= { recognition: find() };
  return known.recognition;
}

function find(): TextRecognition | undefined {
  const core = folderOf(CORE);
  if (core === undefined) return undefined;
  const languages = languagesBeside(dirname(core));
  if (languages.length === 0) return undefined;
  const pdf = folderOf(PDF);
  return {
    core: join(core, "tesseract-core-simd-lstm.js"),
    languages,
    ...(pdf === undefined ? {} : { pdf }),
    reads: [core, ...languages.map(({ path }) => dirname(path)), ...(pdf === undefined ? [] : [pdf])],
  };
}

/** English first if it is installed, then by name. */
function languagesBeside(packages: string): TextRecognition["languages"] {
  const folder = join(packages, DATA);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^[a-z_]{3,20}$/.test(name) && name !== "osd");
  return names
    .sort((one, other) => Number(other === "eng") - Number(one === "eng") || (one < other ? -1 : 1))
    .slice(0, LANGUAGES_MAX)
    .map((name) => ({ name, path: join(folder, name, "4.0.0_best_int", `${name}.traineddata.gz`) }))
    .filter(({ path }) => existsSync(path));
}

/** A name that changes when it is worth trying files without text again. */
export const recognitionName = (recognition: TextRecognition | undefined, photos: boolean): string =>
  recognition === undefined
    ? "none"
    : [...recognition.languages.map(({ name }) => name), recognition.pdf && "pdf", photos && "photos"]
        .filter(Boolean)
        .join("+");

/** Describes the installed recognition for people. */
export function recognitionWords(): string {
  const recognition = installedRecognition();
  if (recognition === undefined)
    return `Text in scans and screenshots is not recognised, because the packages for it are not installed. Add them with \`${RECOGNITION_ADVICE}\`. For more languages, add @tesseract.js-data/deu, /fra and so on.`;
  const languages = recognition.languages.map(({ name }) => name).join(", ");
  const scans = recognition.pdf === undefined ? ` For scanned PDFs, also run \`npm install ${PDF}\`.` : "";
  return `Text in scans, screenshots and PDFs that have no text layer is recognised in the background (${languages}) and marked as recognised.${scans}`;
}
