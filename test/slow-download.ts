// A client that reads the start of a download and then waits. When it continues, the rest shows whether the server
// interrupted the download.
import http from "node:http";

export interface SlowDownload {
  status: number;
  /** The Content-Length. */
  promised: number;
  /** Reads the rest. `error` is the client's error if the transfer was interrupted, and undefined if it is complete. */
  rest(): Promise<{ bytes: number; error: string | undefined }>;
}

/**
 * Resolves when the first bytes arrive. Nothing more is read until `rest`, so that full socket buffers block the
 * server.
 */
export const beginDownload = (url: string, headers: Record<string, string>): Promise<SlowDownload> =>
  new Promise((resolve, reject) => {
    const request = http.get(url, { headers, agent: false }, (incoming) => {
      // `rest` also reports an interruption that came earlier.
      let error: string | undefined;
      incoming.on("error", (failure: NodeJS.ErrnoException) => {
        error = failure.code ?? failure.message;
      });
      const rest: SlowDownload["rest"] = async () => {
        let bytes = 0;
        incoming.on("data", (piece: Buffer) => {
          bytes += piece.length;
        });
        if (!incoming.closed) await new Promise((closed) => incoming.once("close", closed));
        return { bytes, error };
      };
      incoming.once("readable", () =>
        resolve({ status: incoming.statusCode!, promised: Number(incoming.headers["content-length"]), rest }),
      );
    });
    request.once("error", reject);
  });
