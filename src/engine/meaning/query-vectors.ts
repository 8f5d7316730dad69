// Query vectors are requested once and cached. After a failure the endpoint is left alone for a while, so that searches
// do not wait for it.
import { SEARCH_MODEL } from "../../contract/limits.ts";
import { prefixesFor } from "../../core/search/model-prefixes.ts";
import { EndpointFailed, embed } from "./endpoint.ts";
import type { SearchModel } from "./search-model.ts";

const kept = new Map<string, Float32Array>();
const restingUntil = new Map<string, number>();

/** Undefined means that the endpoint has to be called. Null means that it failed recently. */
export function knownQueryVector(model: SearchModel, text: string): Float32Array | null | undefined {
  const known = kept.get(keyOf(model, text));
  if (known !== undefined) return known;
  return performance.now() < (restingUntil.get(model.id) ?? 0) ? null : undefined;
}

/** Returns null if the endpoint fails. The search then uses words only. */
export async function askQueryVector(model: SearchModel, text: string): Promise<Float32Array | null> {
  try {
    const [vector] = await embed(model, [prefixesFor(model.name).query + text], { ms: SEARCH_MODEL.queryMs });
    if (kept.size >= SEARCH_MODEL.queriesKept) kept.delete(kept.keys().next().value!);
    kept.set(keyOf(model, text), vector!);
    return vector!;
  } catch (error) {
    if (!(error instanceof EndpointFailed)) throw error;
    restingUntil.set(model.id, performance.now() + SEARCH_MODEL.restMs);
    return null;
  }
}

const keyOf = ({ id }: SearchModel, text: string): string => `${id} ${text}`;
