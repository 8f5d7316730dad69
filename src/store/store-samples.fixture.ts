// Sample data for the contract suite: one small source, changes to its records, and readers of those records.
import fc from "fast-check";
import type { SourceDeclaration } from "../contract/declaration.ts";
import type { Grant, GrantWords } from "../contract/grant.ts";
import type { RecordLimits } from "../core/history.ts";
import type { ScopeRow } from "../core/scope.ts";
import type { Change } from "./store.ts";

export const declaration: SourceDeclaration = {
  protocol_version: "0.1.0",
  source: { kind: "connector", id: "https://test.example/contract" },
  declaration_version: "1",
  publisher: { id: "test" },
  display: { name: "Contract" },
  streams: [
    {
      name: "items",
      semantics: "mutable_state",
      primary_key: ["id"],
      cursor_field: "at",
      consent_time_field: "at",
      schema: {
        type: "object",
        properties: { id: { type: "string" }, title: { type: "string" }, at: { type: "string", format: "date-time" } },
      },
    },
  ],
};

export const NOW = 1000;

export const WORDS: GrantWords = { app: "Client", reads: [], until: "until revoked", purpose: "tests" };

export const item = (id: string, title = "", at: number | null = null): Change => ({
  id,
  data: JSON.stringify({ id, title, ...(at === null ? {} : { at: new Date(at).toISOString() }) }),
  ord: at,
  time: at,
  values: { title },
  emittedAt: NOW,
  origin: null,
  blobs: [],
});

export const gone = (id: string): Change => ({
  id,
  data: null,
  ord: null,
  time: null,
  emittedAt: NOW,
  origin: null,
  blobs: [],
});

/** Returns the limits of a record made by `item`. */
export function limitsIn(data: string): RecordLimits {
  const { title, at } = JSON.parse(data) as { title: string; at?: string };
  return { time: at === undefined ? null : Date.parse(at), values: { title } };
}

export const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.constantFrom("a", "b", "c", "d", "𝒳", "ﬀ"),
        fc.constantFrom("", "x", "y"),
        fc.constantFrom(null, 1, 2, 3, 4),
      )
      .map(([id, title, at]) => item(id, title, at)),
  },
  { weight: 1, arbitrary: fc.constantFrom("a", "b", "c", "d").map(gone) },
);

export const READERS: Partial<ScopeRow>[] = [
  {},
  { fields: new Set(["id"]) },
  { fields: new Set(["id", "title"]) },
  { fields: new Set(["id", "at"]), time: { field: "at", since: 2, until: 4 } },
  { fields: new Set(["id", "title", "at"]), time: { field: "at", since: 3 } },
  { fields: new Set(["id", "title"]), resources: new Set(["a", "c"]) },
  { fields: new Set(["id", "at"]), filter: { field: "title", values: new Set(["x"]) } },
  {
    fields: new Set(["id", "title"]),
    time: { field: "at", since: 2 },
    filter: { field: "title", values: new Set(["x", "y"]) },
  },
];

export const grant = (id: string): Grant => ({
  version: "0.1.0",
  grant_id: id,
  issued_at: new Date(NOW).toISOString(),
  subject: { id: "sub" },
  client: { client_id: "cli_1" },
  source: { kind: "connector", id: declaration.source.id },
  source_declaration: { version: "1" },
  purpose_code: "https://pdpp.dev/purpose/personal_assistance",
  access_mode: "continuous",
  streams: [{ name: "items", instance_ids: ["cin_1"], fields: ["id"] }],
});
