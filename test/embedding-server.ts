// A small OpenAI-compatible embedding endpoint with deterministic vectors: texts that share words or meanings are near each other.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

const DIMENSIONS = 64;
/** Words with the same meaning get the same direction. */
const MEANINGS: readonly (readonly string[])[] = [
  ["doctor", "physician", "gp", "surgery"],
  ["appointment", "visit", "slot"],
  ["car", "vehicle", "automobile"],
  ["money", "payment", "invoice"],
];

export interface EmbeddingServer {
  url: string;
  /** The texts of each request. */
  requests: string[][];
  /** The path of each request. */
  paths: string[];
  /**
   * Sets how the endpoint responds: with vectors, with an error, with a redirect to itself, or with vectors only after
   * it is told to continue.
   */
  behave(how: "well" | "error" | "redirect" | "wait"): void;
  close(): Promise<void>;
}

export async function embeddingServer(): Promise<EmbeddingServer> {
  const requests: string[][] = [];
  const paths: string[] = [];
  let how: Parameters<EmbeddingServer["behave"]>[0] = "well";
  let waiting: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const { model, input } = JSON.parse(await text(request)) as {
      model: string;
      input: string[];
    };
    requests.push(input);
    paths.push(request.url!);
    if (how === "wait") await new Promise<void>((resolve) => waiting.push(resolve));
    if (how === "redirect") {
      response.writeHead(307, { location: `${request.url}?again` }).end();
      return;
    }
    if (how === "error" || request.url !== "/v1/embeddings") {
      response.writeHead(500).end(JSON.stringify({ error: { message: "the model is not loaded" } }));
      return;
    }
    const data = input.map((one, index) => ({ object: "embedding", index, embedding: [...vectorOf(one)] }));
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ object: "list", model, data }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    paths,
    behave(next) {
      how = next;
      if (next === "wait") return;
      for (const answer of waiting) answer();
      waiting = [];
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Returns the sum of the directions of the text's words. */
function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const meaning = MEANINGS.find((words) => words.includes(word))?.[0] ?? word;
    let state = 2166136261;
    for (const character of meaning) state = Math.imul(state ^ character.codePointAt(0)!, 16777619);
    for (let at = 0; at < DIMENSIONS; at++) {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + at;
      vector[at]! += (state & 0xffff) / 0x8000 - 1;
    }
  }
  return vector;
}
