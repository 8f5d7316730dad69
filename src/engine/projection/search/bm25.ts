// BM25 over (record, field) units with the statistics of a Scope. The same numbers in give the same bits out.
import { CODE_LENGTH } from "./lengths.ts";

const K1 = 1.2;
const B = 0.75;

/** Frequencies that the table holds; higher ones are computed. */
const TABLE_FREQUENCIES = 8;

export function inverseFrequency(units: number, matching: number): number {
  return Math.log(1 + (units - matching + 0.5) / (matching + 0.5));
}

export function saturation(frequency: number, length: number, averageLength: number): number {
  return (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * length) / averageLength));
}

/** By `frequency << 8 | length code`; empty when it would not pay, for the values are the same either way. */
export function saturationTable(averageLength: number, pays: boolean): Float64Array {
  const table = new Float64Array(pays ? TABLE_FREQUENCIES << 8 : 0);
  for (let slot = 256; slot < table.length; slot++)
    table[slot] = saturation(slot >> 8, CODE_LENGTH[slot & 255]!, averageLength);
  return table;
}
