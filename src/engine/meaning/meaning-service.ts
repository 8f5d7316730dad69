// Embeds the passages of records in the background, in feed order, continuing where the last process stopped.
import { SEARCH_MODEL } from "../../contract/limits.ts";
import type { SearchModelRead } from "../../contract/search-model.ts";
import type { PassageBatch, VectorsKept } from "../../contract/search-model-request.ts";
import { formatInstant } from "../../core/instant.ts";
import { prefixesFor } from "../../core/search/model-prefixes.ts";
import type { Credential } from "../caller.ts";
import type { Services } from "../calls/services.ts";
import type { EngineHost } from "../host.ts";
import { JobLoop } from "../job-loop.ts";
import type { JobRunningOptions } from "../job-running.ts";
import type { JobService } from "../jobs.ts";
import { EndpointFailed, embed } from "./endpoint.ts";

export interface MeaningServiceOptions {
  host: EngineHost;
  /** Shows whether anything was written to the home. */
  changes: JobRunningOptions["changes"];
  /** True on a server with many owners, where texts are not sent into the operator's network. */
  isOneOfMany?: boolean;
  log: (text: string) => void;
  probeMs?: number;
}

const PROBE_MS = 2000;
/** The delays between attempts while the endpoint fails. */
const RETRIES_MS = [1000, 5000, 15_000, 60_000];

export type MeaningService = JobService & Services["meaning"];

export function meaningService(options: MeaningServiceOptions): MeaningService {
  const { host, changes, isOneOfMany = false, log, probeMs = PROBE_MS } = options;
  let as: Credential | undefined;
  let probe: NodeJS.Timeout | undefined;
  let lastChange: number | undefined;
  let stop = new AbortController();
  /** True if a model was set while this process was running. */
  let mayHaveVectors = false;
  let failure: { message: string; times: number; retryAt: number } | undefined;
  /** Many records have the same text, which the model need not embed twice. */
  let remembered: { model: string; vectors: Map<string, Float32Array> } | undefined;

  const loop = new JobLoop({ name: "search model", log, mayRun: () => as !== undefined && !isOneOfMany, round });

  async function round(): Promise<number> {
    if ((await host.call("searchModelUsed", {}, as!)) === null) {
      if (mayHaveVectors) await host.call("forgetVectors", {}, as!);
      mayHaveVectors = false;
      return Number.POSITIVE_INFINITY;
    }
    mayHaveVectors = true;
    const batch = await host.call("passagesToEmbed", { limit: SEARCH_MODEL.batch }, as!);
    if (batch.model === undefined) return Number.POSITIVE_INFINITY;
    if (batch.records.length === 0 && !batch.more) {
      loop.worked();
      return Number.POSITIVE_INFINITY;
    }
    try {
      await host.call("keepVectors", await vectorsFor(batch), as!);
      failure = undefined;
      loop.worked();
      return 0;
    } catch (error) {
      if (stop.signal.aborted) return Number.POSITIVE_INFINITY;
      if (!(error instanceof EndpointFailed)) throw error;
      return rest(error.message);
    }
  }

  function rest(message: string): number {
    const times = failure?.times ?? 0;
    const wait = RETRIES_MS[Math.min(times, RETRIES_MS.length - 1)]!;
    if (times === 0) log(`search model: ${message}`);
    failure = { message, times: times + 1, retryAt: Date.now() + wait };
    return wait;
  }

  async function vectorsFor({ model, records, through }: PassageBatch): Promise<VectorsKept> {
    const { id, ...endpoint } = model!;
    const { passage: prefix } = prefixesFor(endpoint.name);
    if (remembered?.model !== id) remembered = { model: id, vectors: new Map() };
    // A local reference, so that a response that arrives after the model was changed is not stored for the new model.
    const known = remembered.vectors;
    const texts = [...new Set(records.flatMap(({ passages }) => passages.map(({ text }) => text)))];
    const vectors = new Map(texts.flatMap((text) => (known.has(text) ? [[text, known.get(text)!]] : [])));
    const unknown = texts.filter((text) => !vectors.has(text));
    for (let from = 0; from < unknown.length; from += SEARCH_MODEL.batch) {
      const some = unknown.slice(from, from + SEARCH_MODEL.batch);
      const read = await embed(
        endpoint,
        some.map((text) => prefix + text),
        { ms: SEARCH_MODEL.batchMs, signal: stop.signal },
      );
      for (const [index, text] of some.entries()) {
        vectors.set(text, read[index]!);
        if (known.size >= SEARCH_MODEL.textsKept) known.delete(known.keys().next().value!);
        known.set(text, read[index]!);
      }
    }
    const dimensions = vectors.values().next().value?.length ?? 1;
    if ([...vectors.values()].some(({ length }) => length !== dimensions))
      throw new EndpointFailed("its vectors have different lengths");
    return {
      model: id,
      through,
      dimensions,
      records: records.map(({ version, passages }) => ({
        version,
        passages: passages.map(({ text, ...place }) => ({ ...place, vector: encoded(vectors.get(text)!) })),
      })),
    };
  }

  function probeChanges(): void {
    const now = changes.read();
    if (now === lastChange) return;
    lastChange = now;
    if (failure === undefined || Date.now() >= failure.retryAt) loop.wake();
  }

  async function rests(): Promise<void> {
    as = undefined;
    clearInterval(probe);
    probe = undefined;
    stop.abort();
    await loop.stop();
  }

  return {
    effects: {
      changesSearchModel() {
        failure = undefined;
        mayHaveVectors = true;
        remembered = undefined;
        loop.wake();
      },
    },
    withProgress(read: SearchModelRead): SearchModelRead {
      if (read.progress === undefined || failure === undefined) return read;
      const { message, retryAt } = failure;
      return {
        ...read,
        progress: { ...read.progress, status: "waiting", error: message, retry_at: formatInstant(retryAt) },
      };
    },
    begin(credential) {
      as = credential;
      stop = new AbortController();
      if (isOneOfMany) return;
      probe ??= setInterval(probeChanges, probeMs).unref();
      loop.wake();
    },
    async news() {
      probeChanges();
    },
    rest: rests,
    idle: () => loop.idle(),
    close: rests,
  };
}

const encoded = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
