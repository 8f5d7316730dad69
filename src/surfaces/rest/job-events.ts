// Job progress as server-sent events: one for each change, and one for the end.
import { setTimeout as sleep } from "node:timers/promises";
import { PdppError } from "../../contract/errors.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import { baseHeaders, type Exchange, json } from "../http/respond.ts";

const LOOK_MS = 500;
/** If a counter announces writes: how often the counter is read, and how often the job is read anyway. */
const PROBE_MS = 50;
const NET_MS = 5000;
/** An occasional line keeps proxies and our own timeouts from closing the connection. */
const QUIET_MS = 15_000;
/** The number of streams that one caller may have open. */
const STREAMS_MAX = 16;
const ENDED = ["succeeded", "failed", "cancelled"];

/** Returns a function that reads a files lens job repeatedly, or undefined if the files lens has no such job. */
export type FileJobReader = (
  exchange: Exchange,
  credential: Credential,
  id: string,
) => Promise<(() => Promise<string>) | undefined>;

export type JobSurface = (exchange: Exchange, credential: Credential, query: { id: string }) => Promise<Response>;

export interface JobSurfaceOptions {
  host: EngineHost;
  fileJob?: FileJobReader;
  /** Changes whenever something was written for the owner. If absent, the job is polled. */
  changes?: { read(): number };
}

export function jobSurface({ host, fileJob, changes }: JobSurfaceOptions): JobSurface {
  const open = new Map<string, number>();
  return async (exchange, credential, query) => {
    const { request, requestId } = exchange;
    // Checked again for each event, so that nothing more is sent after a revocation.
    const ofFiles = await fileJob?.(exchange, credential, query.id);
    const look = ofFiles ?? (() => host.callText("job", query, credential, requestId));
    const first = await look();
    if (!(request.headers.get("accept") ?? "").includes("text/event-stream") || request.method === "HEAD")
      return json(exchange, first);
    const name = "token" in credential ? credential.token : "";
    const count = open.get(name) ?? 0;
    if (count >= STREAMS_MAX)
      throw new PdppError("rate_limit_exceeded", `this token already has ${STREAMS_MAX} event streams open`);
    open.set(name, count + 1);
    const stop = new AbortController();
    const leave = (): void => {
      if (stop.signal.aborted) return;
      stop.abort();
      const left = open.get(name)! - 1;
      if (left === 0) open.delete(name);
      else open.set(name, left);
    };
    const events = eventsOf(first, look, stop.signal, ofFiles === undefined ? changes : undefined);
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await events.next();
          if (done) {
            leave();
            controller.close();
          } else controller.enqueue(encoder.encode(value));
        },
        cancel: leave,
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { ...baseHeaders(requestId), "Content-Type": "text/event-stream" } });
  };
}

async function* eventsOf(
  first: string,
  look: () => Promise<string>,
  signal: AbortSignal,
  changes: JobSurfaceOptions["changes"],
): AsyncGenerator<string> {
  let before = "";
  let saidAt = performance.now();
  // Not set at the first read, because something may have been written since.
  let lastChange: number | undefined;
  for (let now = first; ; now = await look()) {
    const ended = ENDED.includes((JSON.parse(now) as { status: string }).status);
    const isQuiet = performance.now() - saidAt >= QUIET_MS;
    if (now !== before || isQuiet) {
      yield now === before ? ":\n\n" : `event: ${ended ? "end" : "progress"}\ndata: ${now}\n\n`;
      saidAt = performance.now();
    }
    before = now;
    if (ended) return;
    const lookAt = performance.now() + (changes === undefined ? LOOK_MS : NET_MS);
    do {
      if (signal.aborted) return;
      await sleep(changes === undefined ? LOOK_MS : PROBE_MS, undefined, { signal }).catch(() => undefined);
    } while (performance.now() < lookAt && (changes === undefined || changes.read() === lastChange));
    if (signal.aborted) return;
    lastChange = changes?.read();
  }
}
