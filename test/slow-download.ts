// A client that takes the beginning of a download and then waits: what it gets when it continues shows whether the server cut it.
import http from "node:http";

export interface SlowDownload {
  status: number;
  /** Content-Length. */
  promised: number;
  /** Takes all the rest. `error`: how a client sees a transfer that was cut; undefined when it came whole. */
  rest(): Promise<{ bytes: number; error: string | undefined }>;
}

/** Resolves at the first bytes. Nothing more is read until `rest`, so that the socket's buffers hold the server back. */
export const beginDownload = (url: string, headers: Record<string, string>): Promise<SlowDownload> =>
  new Promise((resolve, reject) => {
    const request = http.get(url, { headers, agent: false }, (incoming) => {
      // A cut that comes while nobody reads is told when `rest` reads on.
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
