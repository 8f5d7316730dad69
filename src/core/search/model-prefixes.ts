// Prefixes that some embedding models expect before each text, as published by their authors.

interface ModelPrefixes {
  query: string;
  passage: string;
}

const KNOWN: readonly [model: RegExp, ModelPrefixes][] = [
  [/nomic-embed/i, { query: "search_query: ", passage: "search_document: " }],
  [/(?:^|[/_-])e5-/i, { query: "query: ", passage: "passage: " }],
  [/mxbai-embed/i, { query: "Represent this sentence for searching relevant passages: ", passage: "" }],
];

export function prefixesFor(model: string): ModelPrefixes {
  return KNOWN.find(([pattern]) => pattern.test(model))?.[1] ?? { query: "", passage: "" };
}
