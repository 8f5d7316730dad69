// Finds the optional packages that create thumbnails, and says how to install them.
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

export interface InstalledDecoders {
  /** The URL of the sharp module. */
  sharp: string;
  /** The URL of the libheif-js module, needed because sharp cannot read HEIC. */
  heif?: string;
  /** Folders that the process may read. */
  reads: string[];
}

const SHARP = "sharp";
const HEIF = "libheif-js";
export const THUMBNAIL_ADVICE = `\`npm install ${SHARP} ${HEIF}\``;
export const HEIC_ADVICE = `\`npm install ${HEIF}\``;

const require = createRequire(import.meta.url);
let known: { found: InstalledDecoders | undefined } | undefined;

/**
 * Checked only once, because packages are not installed while the program is running. Without sharp there are no
 * thumbnails.
 */
export function installedDecoders(): InstalledDecoders | undefined {
  known ??= { found: find() };
  return known.found;
}

function find(): InstalledDecoders | undefined {
  const sharp = found(SHARP, SHARP);
  if (sharp === undefined) return undefined;
  const heif = found(HEIF, `${HEIF}/wasm-bundle`);
  return {
    sharp: sharp.module,
    ...(heif === undefined ? {} : { heif: heif.module }),
    reads: [...new Set([sharp.folder, ...(heif === undefined ? [] : [heif.folder])])],
  };
}

function found(name: string, entry: string): { module: string; folder: string } | undefined {
  try {
    const main = realpathSync(require.resolve(entry));
    // The native parts of a package are separate packages next to it.
    const packages = main.slice(0, main.lastIndexOf(`/${name}/`) + 1);
    return { module: pathToFileURL(main).href, folder: packages === "" ? dirname(main) : packages };
  } catch {
    return undefined;
  }
}
