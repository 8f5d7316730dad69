// The terms of a clause as bytes, which are encoded only once for all segments and hits.
import type { Clause } from "./query.ts";

const encoder = new TextEncoder();
const known = new WeakMap<Clause, Uint8Array[]>();

export function termBytes(clause: Clause): Uint8Array[] {
  const bytes = known.get(clause) ?? clause.terms.map((term) => encoder.encode(term));
  known.set(clause, bytes);
  return bytes;
}
