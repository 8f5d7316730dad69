// Sends texts to an OpenAI-compatible embedding endpoint and receives vectors. Nothing else is sent, and redirects are
// not followed, so the texts reach no other server.
import { SEARCH_MODEL } from "../../contract/limits.ts";

export interface EmbeddingModel {
  /** The base URL, such as http://127.0.0.1:11434/v1. */
  url: string;
  name: string;
}

/** The message tells the owner why there are no vectors. */
export class EndpointFailed extends Error {}

/** Returns a vector for each text, in order and all of the same length. */
export async function embed(
  { url, name }: EmbeddingModel,
  texts: readonly string[],
  { ms, signal }: { ms: number; signal?: AbortSignal },
): Promise<Float32Array[]> {
  const limit = AbortSignal.timeout(ms);
  try {
    const answer = await fetch(`${url.replace(/\/+$/, "")}/embeddings`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ model: name, input: texts, encoding_format: "float" }),
      redirect: "manual",
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    const body = await boundedText(answer);
    if (answer.status >= 300 && answer.status < 400)
      throw new EndpointFailed(`it redirects (status ${answer.status}), and redirects are not followed`);
    if (!answer.ok) throw new EndpointFailed(`it responded with status ${answer.status}${errorMessage(body)}`);
    return vectorsIn(body, texts.length);
  } catch (error) {
    if (error instanceof EndpointFailed) throw error;
    if (limit.aborted) throw new EndpointFailed(`it did not respond within ${ms / 1000} s`);
    const { cause } = error as Error;
    throw new EndpointFailed(
      `it cannot be reached: ${cause instanceof Error ? cause.message : (error as Error).message}`,
    );
  }
}

async function boundedText(answer: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += (piece as Uint8Array).length;
    if (bytes > SEARCH_MODEL.answerBytes) throw new EndpointFailed("its response is too large");
    pieces.push(piece as Uint8Array);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** The message of an error in OpenAI's format, or an empty string. */
function errorMessage(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown } | string };
    const message = typeof error === "object" ? error.message : error;
    return typeof message === "string" ? `: ${message.slice(0, 200)}` : "";
  } catch {
    return "";
  }
}

function vectorsIn(body: string, wanted: number): Float32Array[] {
  const failed = new EndpointFailed("its response is not a list of embeddings in OpenAI's format");
  let data: unknown;
  try {
    ({ data } = JSON.parse(body) as { data?: unknown });
  } catch {
    throw failed;
  }
  if (!Array.isArray(data) || data.length !== wanted) throw failed;
  const vectors = new Array<Float32Array>(wanted);
  for (const [place, { index = place, embedding }] of (data as { index?: number; embedding?: unknown }[]).entries()) {
    if (!Array.isArray(embedding) || embedding.length === 0 || embedding.length > SEARCH_MODEL.dimensionsMax)
      throw failed;
    const vector = Float32Array.from(embedding as number[]);
    if (!vector.every(Number.isFinite) || !(index >= 0 && index < wanted)) throw failed;
    vectors[index] = vector;
  }
  for (let at = 0; at < wanted; at++) if (vectors[at]?.length !== vectors[0]?.length) throw failed;
  return vectors;
}
