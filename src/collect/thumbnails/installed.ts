// The optional package that creates thumbnails: whether it is installed, and how to add it.
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

export interface InstalledSharp {
  /** Its module, as a URL. */
  module: string;
  /** Folders that the process reads. */
  reads: string[];
}

const PACKAGE = "sharp";
export const THUMBNAIL_ADVICE = `\`npm install ${PACKAGE}\``;

const require = createRequire(import.meta.url);
let known: { found: InstalledSharp | undefined } | undefined;

/** Checked once: packages are added while the program is not running. */
export function installedSharp(): InstalledSharp | undefined {
  known ??= { found: find() };
  return known.found;
}

function find(): InstalledSharp | undefined {
  try {
    const main = realpathSync(require.resolve(PACKAGE));
    // Its native parts are separate packages beside it.
    const packages = main.slice(0, main.lastIndexOf(`/${PACKAGE}/`) + 1);
    return { module: pathToFileURL(main).href, reads: [packages === "" ? dirname(main) : packages] };
  } catch {
    return undefined;
  }
}
