// Decodes HEIC pictures with libheif in WebAssembly: the thumbnail that phones store inside, or else the picture
// itself.
import { storedThumbnails } from "./heif-thumbnails.ts";

export interface DecodedPicture {
  width: number;
  height: number;
  /** Red, green, blue and alpha of each pixel. */
  pixels: Uint8Array;
}

/** The part of libheif-js that is used here. */
interface Libheif {
  heif_context_alloc(): object | null;
  heif_context_free(context: object): void;
  heif_context_read_from_memory(context: object, bytes: Uint8Array): { code: unknown };
  heif_js_context_get_primary_image_handle(context: object): HeifHandle;
  heif_js_context_get_image_handle(context: object, id: number): HeifHandle;
  heif_image_handle_get_width(handle: object): number;
  heif_image_handle_get_height(handle: object): number;
  heif_image_handle_release(handle: object): void;
  heif_js_decode_image2(handle: object, colours: unknown, chroma: unknown): Promise<HeifPixels> | HeifPixels;
  heif_image_release(image: object): void;
  heif_error_code: { heif_error_Ok: unknown };
  heif_colorspace: { heif_colorspace_RGB: unknown };
  heif_chroma: { heif_chroma_interleaved_RGBA: unknown };
}
/** An object with a code is an error. */
type HeifHandle = { code?: unknown } | null;
interface HeifPixels {
  code?: unknown;
  image: object;
  channels: { width: number; height: number; stride: number; data: Uint8Array }[];
}

/** Brands of HEIF files. AVIF is decoded elsewhere. */
const BRANDS = /^(?:heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/;
/** At four bytes per pixel, a larger picture would not fit into memory next to the decoder. */
const PIXELS_MAX = 64_000_000;

/**
 * `side` is the required length of the longest side. Returns undefined for a file of another format, and throws if it
 * cannot be decoded.
 */
export function heifDecoder(module: string, side: number): (bytes: Uint8Array) => Promise<DecodedPicture | undefined> {
  let loading: Promise<Libheif> | undefined;
  return async (bytes) => {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (file.toString("latin1", 4, 8) !== "ftyp" || !BRANDS.test(file.toString("latin1", 8, 12))) return undefined;
    // Loaded on first use, because most imports contain no HEIC.
    loading ??= import(module).then((loaded: { default: Libheif }) => loaded.default);
    return decodedFile(await loading, file, side);
  };
}

async function decodedFile(heif: Libheif, file: Buffer, side: number): Promise<DecodedPicture> {
  const context = heif.heif_context_alloc();
  if (context === null) throw new Error("libheif ran out of memory");
  try {
    const { code } = heif.heif_context_read_from_memory(context, file);
    if (code !== heif.heif_error_code.heif_error_Ok) throw new Error("libheif cannot read this file");
    for (const id of storedThumbnails(file)) {
      const small = heif.heif_js_context_get_image_handle(context, id);
      const picture = await decodedImage(heif, small, ({ width, height }) => Math.max(width, height) >= side);
      if (picture !== undefined) return picture;
    }
    const whole = await decodedImage(heif, heif.heif_js_context_get_primary_image_handle(context), () => true);
    if (whole === undefined) throw new Error("its picture cannot be decoded");
    return whole;
  } finally {
    heif.heif_context_free(context);
  }
}

async function decodedImage(
  heif: Libheif,
  handle: HeifHandle,
  isWanted: (size: { width: number; height: number }) => boolean,
): Promise<DecodedPicture | undefined> {
  if (handle === null || handle.code !== undefined) return undefined;
  try {
    const width = heif.heif_image_handle_get_width(handle);
    const height = heif.heif_image_handle_get_height(handle);
    if (width * height > PIXELS_MAX || !isWanted({ width, height })) return undefined;
    const { heif_colorspace_RGB: colours } = heif.heif_colorspace;
    const found = await heif.heif_js_decode_image2(handle, colours, heif.heif_chroma.heif_chroma_interleaved_RGBA);
    if (found.code !== undefined) return undefined;
    try {
      return pixelsOf(found.channels[0]!);
    } finally {
      heif.heif_image_release(found.image);
    }
  } finally {
    heif.heif_image_handle_release(handle);
  }
}

/** Copies the pixels out of the decoder's memory, without the padding of each line. */
function pixelsOf({ width, height, stride, data }: HeifPixels["channels"][number]): DecodedPicture {
  const pixels = new Uint8Array(width * height * 4);
  for (let line = 0; line < height; line++)
    pixels.set(data.subarray(line * stride, line * stride + width * 4), line * width * 4);
  return { width, height, pixels };
}
