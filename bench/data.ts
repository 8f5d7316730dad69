// The benchmark's records: bank transactions with five sentences of text each, 632 bytes of JSON on average, the same
// in every run.
import type { SourceDeclaration } from "../src/contract/declaration.ts";

export const STREAM = "transactions";
export const CONNECTOR = "bench-bank";
const ACCOUNTS = 400;
const START = Date.UTC(2020, 0, 1);
const SPAN = 5 * 365.25 * 86_400_000;

const CATEGORIES =
  "groceries rent salary transport restaurants health insurance clothing travel gifts books music energy water phone garden repairs taxes savings fees".split(
    " ",
  );

/** No record has both values, so a filter on both of them checks every row and finds no match. */
export const NO_MATCH = { account: "acc-000", category: "gifts" } as const;
export const SOME_ACCOUNT = "acc-217";

export const DECLARATION: SourceDeclaration = {
  protocol_version: "0.1.0",
  source: { kind: "connector", id: "https://bench.postern.example/bank" },
  declaration_version: "1",
  publisher: { id: "https://bench.postern.example" },
  display: { name: "Bench bank" },
  streams: [
    {
      name: STREAM,
      semantics: "mutable_state",
      schema: {
        type: "object",
        properties: {
          id: { type: "string" },
          account: { type: "string" },
          category: { type: "string" },
          amount: { type: "number" },
          currency: { type: "string" },
          booked_at: { type: "string", format: "date-time" },
          merchant: { type: "string" },
          text: { type: "string" },
        },
        required: ["id", "account", "amount", "booked_at"],
      },
      primary_key: ["id"],
      cursor_field: "booked_at",
      consent_time_field: "booked_at",
      query: {
        range_filters: { amount: ["gte", "lt"], booked_at: ["gte", "lt"] },
        search: { lexical_fields: ["text"] },
        aggregations: { count: true, group_by: ["category", "account"], group_by_time: ["booked_at"], sum: ["amount"] },
      },
    },
  ],
};

export interface BenchRecord {
  id: string;
  data: string;
  bookedAt: number;
  emittedAt: number;
}

/** Returns record `index` of `total`. The records are roughly in chronological order, as in real exports. */
export function recordAt(index: number, total: number): BenchRecord {
  const random = randomFrom(index);
  const bookedAt = Math.floor(START + (SPAN * index) / total + random() * 6 * 3_600_000);
  const when = new Date(bookedAt).toISOString();
  const account = Math.floor(random() * ACCOUNTS);
  const drawn = CATEGORIES[Math.floor(random() * CATEGORIES.length)]!;
  const category = account === 0 && drawn === NO_MATCH.category ? "groceries" : drawn;
  const amount = Math.round((random() ** 3 * 2000 - 1500) * 100) / 100;
  const id = `${when.slice(0, 10)}.${Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, "0")}${(index & 0xff).toString(16)}`;
  const text = Array.from({ length: 5 }, () => SENTENCES[Math.floor(random() * SENTENCES.length)]!).join(" ");
  const merchant = MERCHANTS[Math.floor(random() * MERCHANTS.length)]!;
  const data = `{"id":"${id}","account":"acc-${String(account).padStart(3, "0")}","category":"${category}","amount":${amount},"currency":"EUR","booked_at":"${when}","merchant":"${merchant}","text":"${text}"}`;
  return { id, data, bookedAt, emittedAt: START + SPAN };
}

const EMITTED = new Date(START + SPAN).toISOString();

/** Returns the same record as one line of an ingest body. */
export function lineOf({ id, data }: BenchRecord): string {
  return `{"key":"${id}","data":${data},"emitted_at":"${EMITTED}"}\n`;
}

/** mulberry32: small and fast, and the numbers for any index can be computed without the earlier ones. */
export function randomFrom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Distributed by Zipf's law, as in real language: a few words are in almost every text, and most are rare. */
const WORDS = Array.from({ length: 20_000 }, (_, rank) => wordOfRank(rank));

export function wordOfRank(rank: number): string {
  const syllables = [
    "ka",
    "lo",
    "mi",
    "ten",
    "ra",
    "sol",
    "ve",
    "nu",
    "bri",
    "ash",
    "do",
    "el",
    "fi",
    "gor",
    "hem",
    "ist",
  ];
  let word = "";
  for (let rest = rank + 17; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]!;
  return word;
}

const SENTENCES = Array.from({ length: 8192 }, (_, index) => {
  const random = randomFrom(0x5e000000 + index);
  const words = 8 + Math.floor(random() * 10);
  return Array.from({ length: words }, () => WORDS[Math.floor(WORDS.length ** random()) - 1]!).join(" ");
});

const MERCHANTS = Array.from({ length: 3000 }, (_, index) => {
  const random = randomFrom(0x3e000000 + index);
  return `${WORDS[Math.floor(random() * 900)]!} ${WORDS[Math.floor(random() * 900)]!}`;
});
