// Tests page compression: with an encoding that the caller accepts, and never for a request from another site.
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { packed } from "./compress.ts";

const TEXT = "a page with the same words again and again ".repeat(200);
const ask = (headers: Record<string, string>) => packed(new Request("http://127.0.0.1/dashboard", { headers }), TEXT);

it("compresses pages with an encoding that the caller accepts, and they decompress to the same text", () => {
  const unpack = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };
  for (const [accept, encoding] of [
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["GZIP;q=0.5, br;q=0", "gzip"],
  ] as const) {
    const { body, headers } = ask({ "accept-encoding": accept });
    expect(headers).toEqual({ Vary: "Accept-Encoding", "Content-Encoding": encoding });
    expect(unpack[encoding](body as Uint8Array).toString()).toBe(TEXT);
    expect(body.length).toBeLessThan(TEXT.length / 5);
  }
  for (const accept of ["", "identity", "gzip;q=0", "deflate"])
    expect(ask({ "accept-encoding": accept })).toEqual({ body: TEXT, headers: { Vary: "Accept-Encoding" } });
});

it("does not compress a page that another site made the browser request (SECURITY row 30)", () => {
  for (const site of ["cross-site", "same-site"])
    expect(ask({ "accept-encoding": "gzip", "sec-fetch-site": site }).body).toBe(TEXT);
  for (const site of ["same-origin", "none"])
    expect(ask({ "accept-encoding": "gzip", "sec-fetch-site": site }).body).not.toBe(TEXT);
});
