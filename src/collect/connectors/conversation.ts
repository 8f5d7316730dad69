// Handles the protocol with a running connector: reads every line, withholds cursors until the end, and reports the
// outcome.
import type { CollectError, CollectReport, CollectRun } from "../../contract/collect.ts";
import type { ConnectorManifest } from "../../contract/connector.ts";
import { COLLECT } from "../../contract/limits.ts";
import type { JsonValue } from "../../contract/record.ts";
import type { ConnectorProcess, ProcessEnd } from "./connector-process.ts";
import { Halt, haltOf } from "./halt.ts";
import {
  beginsAsRecord,
  type ConnectorMessage,
  type Interaction,
  noteIn,
  ProtocolError,
  parseMessage,
  type Unknown,
} from "./message.ts";
import { type OutputLine, outputLines } from "./output-lines.ts";
import type { QuestionReply } from "./questions.ts";
import { type RecordBatch, recordBatches } from "./record-batches.ts";
import type { Redactor } from "./redact.ts";
import { type Done, exitWords, storable, verdictOn } from "./verdict.ts";

export interface BatchOutcome {
  /** Records rejected in the whole run so far. */
  rejected: number;
  /** A line that starts like a record but is not a valid message. */
  broken?: { line: number; message: string };
}

export interface ConversationOptions {
  manifest: ConnectorManifest;
  process: ConnectorProcess;
  redact: Redactor;
  store: (batch: RecordBatch) => Promise<BatchOutcome>;
  progress: (progress: NonNullable<CollectRun["progress"]>) => void;
  answer: (asked: Interaction) => Promise<QuestionReply>;
  /** Aborted, with the reason, when the run must stop. */
  stopped: AbortSignal;
  remarks: string[];
  /** Receives every line unchanged, for testing connectors. */
  tap?: (line: Buffer) => void;
}

export interface ConversationResult {
  status: "succeeded" | "failed" | "cancelled";
  error?: CollectError;
  /** The last cursor of each stream. */
  states: Record<string, JsonValue>;
  report: CollectReport;
}

const CHECK_MS = 250;
/** Records that arrive slowly are stored at least this often. */
const IDLE_MS = 1000;
const UNKNOWN_NAMED = 20;
const MESSAGE_MAX = 2000;

export const runConversation = (options: ConversationOptions): Promise<ConversationResult> =>
  new ConnectorConversation(options).run();

class ConnectorConversation {
  readonly #options: ConversationOptions;
  readonly #limits: ReturnType<typeof limitsOf>;
  readonly #streams: ReadonlySet<string>;
  readonly #report: Omit<CollectReport, "remarks"> = { skipped: [], coverage: [], gaps: [], left_out: 0 };
  readonly #states = new Map<string, JsonValue>();
  readonly #unknown = new Map<string, number>();
  readonly #batches = recordBatches((batch) => this.#store(batch));
  #unknowns = 0;
  #questions = 0;
  #asking: Promise<void> = Promise.resolve();
  #halt: Halt | undefined;
  #done: { message: Done; line: number } | undefined;
  /** The number of the last line read. */
  #line = 0;
  /** Above 0 while this process is busy, so that the connector is not blamed for silence. */
  #busy = 0;
  #heardAt = performance.now();
  #ending: NodeJS.Timeout | undefined;
  #late = false;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#limits = limitsOf(options.manifest);
    this.#streams = new Set(options.manifest.declaration.streams.map(({ name }) => name));
  }

  async run(): Promise<ConversationResult> {
    const { process, stopped } = this.#options;
    const stop = (): void => this.#stop(haltOf(stopped.reason as Error, this.#line));
    if (stopped.aborted) stop();
    stopped.addEventListener("abort", stop, { once: true });
    const begun = performance.now();
    const watch = setInterval(() => this.#watch(begun), CHECK_MS);
    // A connector that has ended may have left behind a process that keeps its output open.
    void process.ended.then(() => this.#endSoon());
    try {
      await this.#listen();
      return this.#conclude(await this.#end());
    } finally {
      clearInterval(watch);
      clearTimeout(this.#ending);
      stopped.removeEventListener("abort", stop);
      await process.stop();
    }
  }

  async #listen(): Promise<void> {
    try {
      for await (const lines of outputLines(this.#options.process.stdout, COLLECT)) {
        for (const given of lines) {
          if (this.#halt !== undefined) return;
          const waiting = this.#take(given);
          if (waiting !== undefined) await waiting;
        }
        this.#heardAt = performance.now();
      }
      await this.#asking;
      await this.#batches.flush();
    } catch (error) {
      // The output was cut off, because the connector was stopped, or because it ended and left a process behind.
      if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE")
        this.#stop(haltOf(error as Error, this.#line));
      else await this.#batches.flush().catch((failed: Error) => this.#stop(haltOf(failed, this.#line)));
    }
  }

  #stop(reason: Halt): void {
    this.#halt ??= reason;
    void this.#options.process.stop();
  }

  #watch(begun: number): void {
    const { runMs, startMs, silenceMs } = this.#limits;
    const now = performance.now();
    if (now - begun > runMs) this.#stop(new Halt("timeout", `it ran longer than ${secondsOf(runMs)}`, this.#line));
    if (this.#busy > 0) return;
    const silent = now - this.#heardAt;
    if (this.#line === 0 && silent > startMs)
      this.#stop(new Halt("timeout", `it sent nothing within ${secondsOf(startMs)} of starting`));
    else if (this.#done === undefined && silent > silenceMs)
      this.#stop(new Halt("timeout", `it was silent for ${secondsOf(silenceMs)} after line ${this.#line}`, this.#line));
    else if (silent > IDLE_MS) this.#batches.flush().catch((error: Error) => this.#stop(haltOf(error, this.#line)));
  }

  async #working<T>(work: Promise<T>): Promise<T> {
    this.#busy++;
    try {
      return await work;
    } finally {
      this.#busy--;
      this.#heardAt = performance.now();
    }
  }

  async #store(batch: RecordBatch): Promise<void> {
    const { rejected, broken } = await this.#working(this.#options.store(batch));
    if (broken !== undefined) throw new Halt("protocol_error", `line ${broken.line}: ${broken.message}`, broken.line);
    const { rejects } = this.#limits;
    if (rejected > rejects)
      throw new Halt(
        "too_many_rejects",
        `${rejected} of its records were refused, and the limit is ${rejects}`,
        batch.numbers.at(-1),
      );
  }

  #take(given: OutputLine): Promise<void> | undefined {
    this.#line = given.number;
    this.#options.tap?.(given.bytes);
    if (beginsAsRecord(given.bytes)) return this.#record(given);
    if (given.bytes.length < 100 && given.bytes.toString("latin1").trim() === "") return undefined;
    this.#refuseAfterDone();
    const message = parseMessage(given.bytes);
    if (message.type === "RECORD") return this.#record(given);
    this.#hear(message);
    return undefined;
  }

  #refuseAfterDone(): void {
    if (this.#done === undefined) return;
    throw new ProtocolError(`it sent more after DONE (line ${this.#done.line}), which must be the last message`);
  }

  #record(given: OutputLine): Promise<void> | undefined {
    this.#refuseAfterDone();
    const { records } = this.#limits;
    if (this.#batches.count() >= records)
      throw new Halt("resource_limit", `it sent more than ${records} records`, this.#line);
    return this.#batches.add(given);
  }

  #hear(message: Exclude<ConnectorMessage, { type: "RECORD" }> | Unknown): void {
    switch (message.type) {
      case "STATE":
        this.#hold(message);
        break;
      case "PROGRESS": {
        const { message: words, stream, count, total } = message;
        this.#options.progress({
          message: this.#options.redact(words).slice(0, COLLECT.textMax),
          ...(stream === undefined ? {} : { stream }),
          ...(count === undefined ? {} : { count }),
          ...(total === undefined ? {} : { total }),
        });
        break;
      }
      case "INTERACTION":
        this.#question(message);
        break;
      case "SKIP_RESULT":
        this.#tell(this.#report.skipped, message);
        break;
      case "DETAIL_COVERAGE":
        this.#tell(this.#report.coverage, message);
        break;
      case "DETAIL_GAP":
        this.#tell(this.#report.gaps, message);
        break;
      case "DONE":
        this.#done = { message, line: this.#line };
        // There are no more questions to answer.
        this.#options.process.hangUp();
        this.#endSoon();
        break;
      case "UNKNOWN":
        this.#leave(message);
        break;
    }
  }

  #hold({ stream, cursor }: Extract<ConnectorMessage, { type: "STATE" }>): void {
    const { redact } = this.#options;
    if (!this.#streams.has(stream))
      throw new ProtocolError(`STATE for ${JSON.stringify(stream)}, a stream that is not in its declaration`);
    if (cursor === undefined) throw new ProtocolError("STATE.cursor is missing");
    const text = JSON.stringify(cursor);
    if (text.length > COLLECT.stateBytes)
      throw new ProtocolError(`STATE.cursor is longer than ${COLLECT.stateBytes} bytes`);
    if (redact.finds(text))
      throw new ProtocolError(`STATE.cursor of ${stream} contains a secret, but cursors are stored unencrypted`);
    this.#states.set(stream, cursor as JsonValue);
  }

  /** Questions are answered one at a time; the connector can continue in the meantime. */
  #question(asked: Interaction): void {
    if (++this.#questions > COLLECT.questions)
      throw new Halt("resource_limit", `it asked more than ${COLLECT.questions} questions`, this.#line);
    this.#asking = this.#asking.then(async () => {
      if (this.#halt !== undefined) return;
      const reply = await this.#working(this.#options.answer(asked));
      this.#options.process.send({ type: "INTERACTION_RESPONSE", request_id: asked.request_id, ...reply });
    });
    this.#asking.catch((error: Error) => this.#stop(haltOf(error, this.#line)));
  }

  #tell(list: CollectReport["skipped"], message: ConnectorMessage): void {
    const note = noteIn(message);
    if (list.length < COLLECT.reportListed) list.push({ ...note, text: this.#options.redact(note.text) });
    else this.#report.left_out++;
  }

  #leave({ name }: Unknown): void {
    const times = (this.#unknown.get(name) ?? 0) + 1;
    if (this.#unknown.size < UNKNOWN_NAMED || times > 1) this.#unknown.set(name, times);
    if (++this.#unknowns > COLLECT.unknown)
      throw new Halt("resource_limit", `it sent more than ${COLLECT.unknown} messages of unknown types`, this.#line);
  }

  /** Gives the process a moment to exit and close its resources. */
  #endSoon(): void {
    this.#ending ??= setTimeout(() => {
      this.#late = true;
      void this.#options.process.stop();
    }, COLLECT.graceMs);
  }

  async #end(): Promise<ProcessEnd> {
    const { process, remarks } = this.#options;
    this.#endSoon();
    const ended = await process.ended;
    if (this.#halt !== undefined || this.#done === undefined) return ended;
    if (this.#late) remarks.push("it, or a process that it started, did not end after DONE and was stopped");
    else if (ended.code !== 0) remarks.push(`it ended with ${exitWords(ended)} after DONE`);
    return ended;
  }

  #conclude(exit: ProcessEnd): ConversationResult {
    const { manifest, redact, remarks } = this.#options;
    for (const [type, times] of this.#unknown) remarks.push(`${times} × ${type}: messages of an unknown type`);
    const found = this.#halt?.error ?? verdictOn(this.#done?.message, exit, this.#batches.count(), this.#line);
    const states = found === undefined ? storable(manifest, this.#states, (text) => remarks.push(text)) : {};
    const report = { ...this.#report, remarks: remarks.map((text) => redact(text).slice(0, COLLECT.textMax)) };
    if (found === undefined) return { status: "succeeded", states, report };
    const error = { ...found, message: redact(found.message).slice(0, MESSAGE_MAX) };
    return { status: found.code === "cancelled" ? "cancelled" : "failed", error, states, report };
  }
}

function limitsOf({ limits = {} }: ConnectorManifest) {
  const lower = (most: number, own: number | undefined): number => Math.min(most, own ?? most);
  return {
    startMs: lower(COLLECT.startMs, limits.start_seconds && limits.start_seconds * 1000),
    silenceMs: lower(COLLECT.silenceMs, limits.silence_seconds && limits.silence_seconds * 1000),
    runMs: lower(COLLECT.runMs, limits.run_seconds && limits.run_seconds * 1000),
    records: lower(COLLECT.records, limits.records),
    rejects: lower(COLLECT.rejects, limits.rejects),
  };
}

const secondsOf = (ms: number): string => `${Math.round(ms / 1000)} s`;
