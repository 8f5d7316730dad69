// A scanner process as seen by the writer. It runs one task at a time and delivers blocks as they arrive. The writer
// pauses it by not reading from it.
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { programFile } from "../../program-file.ts";
import {
  BlockReader,
  type DirBlock,
  readBlock,
  type ScanAnswer,
  type ScanSettings,
  type ScanTask,
  taskBytes,
} from "../scan/messages.ts";

interface RunningScan {
  onBlock: (block: DirBlock) => void;
  resolve: (answer: ScanAnswer) => void;
  reject: (error: Error) => void;
}

/**
 * Names and stacks are short-lived, so with a small heap, three processes fit into the memory of one. V8's compiler and
 * collector threads would take processor time from the other scanner; without them a scan takes 2 to 7 % less CPU time.
 * Most of a scan is system calls, so V8's slower compiler (TurboFan) takes more time than its code saves.
 */
const NODE_OPTIONS = ["--max-semi-space-size=4", "--single-threaded", "--no-opt"];

export class Scanner {
  readonly #process: ChildProcess;
  readonly #exited: Promise<void>;
  #running: RunningScan | undefined;
  #failure: Error | undefined;
  #complaint = "";

  constructor() {
    const file = programFile(import.meta.url, "../scan/scanner");
    this.#process = spawn(process.execPath, [...NODE_OPTIONS, fileURLToPath(file)], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { PATH: process.env.PATH },
    });
    this.#process.stdin!.on("error", () => undefined);
    this.#process.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-2000);
    });
    this.#listen(this.#process.stdout!);
    this.#exited = new Promise((resolve) => {
      this.#process.once("close", () => {
        this.#fail(new Error(`a scanner process ended: ${this.#complaint.trim() || "it was killed"}`));
        resolve();
      });
    });
    this.#process.once("error", (error) => this.#fail(error));
  }

  /** True if the scanner can be used for another scan. */
  get isFree(): boolean {
    return this.#running === undefined && this.#failure === undefined;
  }

  /** Sets the scan to which the next tasks belong. */
  begin(settings: ScanSettings): void {
    this.#process.stdin!.write(taskBytes({ settings }));
  }

  /** Leaves the tree, so that its disk can be unmounted. */
  leave(): void {
    this.resume();
    this.#process.stdin!.write(taskBytes({ leave: true }));
  }

  do(task: ScanTask, onBlock: RunningScan["onBlock"]): Promise<ScanAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#running = { onBlock, resolve, reject };
      this.#process.stdin!.write(taskBytes(task));
    });
  }

  /** The scanner finishes its current directory and then blocks on the full pipe. */
  pause(): void {
    this.#process.stdout!.pause();
  }

  resume(): void {
    this.#process.stdout!.resume();
  }

  async end(): Promise<void> {
    this.#process.kill("SIGKILL");
    this.#process.stdout!.resume();
    await this.#exited;
  }

  #listen(stream: Readable): void {
    const reader = new BlockReader();
    stream.on("data", (piece: Buffer) => {
      try {
        for (const bytes of reader.read(piece)) this.#take(readBlock(bytes));
      } catch (error) {
        this.#fail(error as Error);
      }
    });
  }

  #take(message: DirBlock | ScanAnswer): void {
    const running = this.#running;
    if (running === undefined) return;
    if ("local" in message) {
      running.onBlock(message);
      return;
    }
    this.#running = undefined;
    running.resolve(message);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    const running = this.#running;
    this.#running = undefined;
    running?.reject(error);
  }
}
