// A client that reads the start of a download and then waits: when it continues, the rest shows whether the server interrupted it.
import http from "node:http";

export interface SlowDownload {
  status: number;
  /** Content-Length. */
  promised: number;
  /** Reads the rest. `error`: the client's error for an interrupted transfer; undefined if it is complete. */
  rest(): Promise<{ bytes: number; error: string | undefined }>;
}

/** Resolves at the first bytes. Nothing more is read until `rest`, so that full socket buffers block the server. */
export const beginDownload = (url: string, headers: Record<string, string>): Promise<SlowDownload> =>
  new Promise((resolve, reject) => {
    const request = http.get(url, { headers, agent: false }, (incoming) => {
      // An interruption that comes before `rest` is reported by `rest`.
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
