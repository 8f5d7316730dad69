// Formats whose text can be extracted, by file name: plain text, PDF, office documents and pictures.
import { typeOfExtension } from "../../mime.ts";

/** In `plain`, the bytes are the text. Office documents are zips of XML. */
export type TextFormat = "plain" | "pdf" | "docx" | "xlsx" | "pptx" | "opendocument" | "picture";

/** The pictures in which text is recognised: none, scans and screenshots, or photos as well. */
export type Pictures = "none" | "documents" | "photos";

const DOCUMENTS: Record<string, TextFormat> = {
  pdf: "pdf",
  docx: "docx",
  docm: "docx",
  xlsx: "xlsx",
  xlsm: "xlsx",
  pptx: "pptx",
  pptm: "pptx",
  odt: "opendocument",
  ods: "opendocument",
  odp: "opendocument",
};

const TEXT_TYPES = /^text\/|^application\/(?:json|xml|yaml|x-sh)$/;

/** Extensions of text formats that have no media type here. */
const EXTENSIONS = new Set(
  (
    "adoc asciidoc bat cmake cs dart diff el erl ex exs fs gradle graphql groovy hs jl lisp lua m mm nim nix org patch " +
    "php pl pm proto properties ps1 r rst srt svelte swift tf v vb vim vtt vue zig"
  ).split(" "),
);

const NAMES =
  /^(?:readme|license|licence|copying|authors|changelog|changes|news|todo|notes|makefile|dockerfile|gemfile)$/i;

/** Scanners write TIFF, screenshots are PNG, and a JPEG is usually a photo. */
const PICTURES: Record<Pictures, ReadonlySet<string>> = {
  none: new Set(),
  documents: new Set(["tif", "tiff", "png"]),
  photos: new Set(["tif", "tiff", "png", "jpg", "jpeg", "webp"]),
};

export function formatOf(
  name: string,
  extension: string | undefined,
  pictures: Pictures = "none",
): TextFormat | undefined {
  if (extension === undefined) return NAMES.test(name) ? "plain" : undefined;
  if (PICTURES[pictures].has(extension)) return "picture";
  if (Object.hasOwn(DOCUMENTS, extension)) return DOCUMENTS[extension];
  return EXTENSIONS.has(extension) || TEXT_TYPES.test(typeOfExtension(extension)) ? "plain" : undefined;
}
