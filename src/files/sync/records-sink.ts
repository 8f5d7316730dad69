// The interface to the record server for runs that update file records.
import type { FILE_TEXT_STREAM, FILES_STREAM } from "../../contract/file-access.ts";
import type { Credential } from "../../engine/caller.ts";
import type { QueryOf } from "../../engine/calls/calls.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { StreamEmptied } from "../../engine/write/ingest.ts";

export interface RecordsTarget {
  connectionId: string;
  /** True if the texts of files are wanted too. */
  text: boolean;
  /** True if text in photos is recognised too, provided that recognition is installed. */
  photos: boolean;
  /** Pauses about half of the time, so that other work can run. */
  gentle: boolean;
}

export type SyncStream = typeof FILES_STREAM | typeof FILE_TEXT_STREAM;

export type SyncAsk =
  /** Stores lines in a stream, in the ingest format. Returns how many were refused. */
  | { store: { connectionId: string; stream: SyncStream; text: string } }
  /** Deletes all records of a stream. */
  | { empty: { connectionId: string; stream: SyncStream } };

export interface RecordsSink {
  /** Returns undefined if the root of this index is not connected, or if its records come from another index. */
  target(indexId: string): RecordsTarget | undefined;
  answer(asked: unknown): Promise<unknown>;
}

const SERVER: Credential = { home: true };

/**
 * Answers requests from runs. Each promise resolves once the change is durable. Emptying a stream takes many steps and
 * stops early if `goesOn` returns false.
 */
export function recordsAnswers(host: EngineHost, goesOn = () => true): (asked: unknown) => Promise<number> {
  async function store({ connectionId, stream, text }: Extract<SyncAsk, { store: object }>["store"]): Promise<number> {
    const batch = { stream, connection_id: connectionId, text };
    const { rejected, changed, stream_no } = await host.call("syncBatch", batch, SERVER);
    if (changed > 0) host.changed(stream_no);
    return rejected;
  }

  async function empty({ connectionId, stream }: Extract<SyncAsk, { empty: object }>["empty"]): Promise<number> {
    let sum = 0;
    let go: { after: number; up_to?: number } | undefined = { after: 0 };
    while (go !== undefined && goesOn()) {
      const query: QueryOf<"emptyStream"> = { stream, connection_id: connectionId, ...go };
      const { removed, stream_no, next }: StreamEmptied = await host.call("emptyStream", query, SERVER);
      sum += removed;
      go = next;
      if (removed > 0) host.changed(stream_no);
    }
    return sum;
  }

  return (asked) => {
    const ask = asked as SyncAsk;
    return "store" in ask ? store(ask.store) : empty(ask.empty);
  };
}
