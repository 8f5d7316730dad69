// A sandboxed process as seen by its parent: start it, send messages, read ahead a little, and kill it.
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { type Frame, FrameDecoder, frameStart } from "./frames.ts";
import { type HeapLimits, launchCommand, type SandboxRights } from "./launch.ts";

/** How far the process can parse ahead while its parent stores records: a little over two import batches. */
const READ_AHEAD_BYTES = 4 * 1024 * 1024;
const STDERR_TAIL_CHARACTERS = 2000;

export interface SandboxOptions extends SandboxRights, HeapLimits {
  /** The URL of a module that exports `work`. */
  work: URL;
  /** The first message sent to the process. */
  start: object;
  /** The folder where the process may write files. It is also its TMPDIR. */
  scratch?: string;
}

export interface SandboxEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The end of the standard error output. */
  stderrTail: string;
}

export interface SandboxedProcess {
  pid: number;
  send(message: object, bytes?: Uint8Array): void;
  /** Resolves with undefined once the process has ended and all its messages have been read. */
  next(): Promise<Frame | undefined>;
  /** Called whenever bytes arrive. */
  onBytes: () => void;
  /** Kills the process. Frames that were already complete are still delivered. */
  kill(): void;
  ended: Promise<SandboxEnd>;
  /** Kills the process, discards unread output, and waits for it to exit. */
  end(): Promise<SandboxEnd>;
}

export async function startSandboxed({ work, start, scratch, ...options }: SandboxOptions): Promise<SandboxedProcess> {
  const { file, args } = await launchCommand(work, options, options);
  const { TZ } = process.env;
  const child = spawn(file, args, {
    // Pass nothing from our own environment: no secrets, and no NODE_OPTIONS, which could lift the restrictions.
    env: {
      PATH: process.env.PATH,
      ...(TZ === undefined ? {} : { TZ }),
      ...(scratch === undefined ? {} : { TMPDIR: scratch }),
    },
    cwd: scratch ?? "/",
    // Give it its own process group, so that Ctrl-C reaches only the parent, which then ends it cleanly.
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  const input = child.stdio[3] as Socket;
  const frames = new FrameQueue(child.stdio[4] as Socket);
  input.on("error", () => undefined);
  const ended = endOf(child);
  const kill = (): void => void child.kill("SIGKILL");
  const send = (message: object, bytes?: Uint8Array): void => {
    input.write(frameStart(message, bytes?.byteLength ?? 0));
    if (bytes !== undefined) input.write(bytes);
  };
  send(start);
  return {
    pid: child.pid ?? 0,
    send,
    next: () => frames.next(),
    get onBytes() {
      return frames.onBytes;
    },
    set onBytes(listener) {
      frames.onBytes = listener;
    },
    kill,
    ended,
    end() {
      kill();
      frames.drop();
      return ended;
    },
  };
}

function endOf(child: ChildProcess): Promise<SandboxEnd> {
  let stderrTail = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    stderrTail = (stderrTail + text).slice(-STDERR_TAIL_CHARACTERS);
  });
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: null, signal: null, stderrTail: error.message }));
    child.once("close", (code, signal) => resolve({ code, signal, stderrTail }));
  });
}

/** Queues frames in order. Frames that are complete when the process ends are still delivered. */
class FrameQueue {
  onBytes: () => void = () => undefined;
  readonly #stream: Socket;
  readonly #frames: Frame[] = [];
  #bytes = 0;
  #waiting: ((frame: Frame | undefined) => void) | undefined;
  #isOver = false;

  constructor(stream: Socket) {
    this.#stream = stream;
    const decoder = new FrameDecoder();
    stream.on("data", (piece: Buffer) => {
      this.onBytes();
      try {
        for (const frame of decoder.take(piece)) this.#put(frame);
      } catch {
        // The process violated the format, so nothing after this can be read.
        stream.destroy();
      }
      if (this.#bytes > READ_AHEAD_BYTES) stream.pause();
    });
    stream.on("error", () => undefined);
    stream.once("close", () => {
      this.#isOver = true;
      this.#waiting?.(undefined);
    });
  }

  next(): Promise<Frame | undefined> {
    const frame = this.#frames.shift();
    if (frame !== undefined) {
      this.#bytes -= frame.size;
      if (this.#bytes <= READ_AHEAD_BYTES) this.#stream.resume();
      return Promise.resolve(frame);
    }
    if (this.#isOver) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting = (one) => {
        this.#waiting = undefined;
        resolve(one);
      };
    });
  }

  /** Without this, a paused stream never closes, and the end of the process is not reported. */
  drop(): void {
    this.#frames.length = 0;
    this.#stream.destroy();
  }

  #put(frame: Frame): void {
    if (this.#waiting !== undefined) this.#waiting(frame);
    else {
      this.#frames.push(frame);
      this.#bytes += frame.size;
    }
  }
}
