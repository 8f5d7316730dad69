// Formats amounts as people write them, with sign, symbol and the decimals of the currency.
import { lazy } from "./lazy.ts";

const formats = new Map<string, Intl.NumberFormat | undefined>();

function formatOf(currency: string): Intl.NumberFormat | undefined {
  if (!formats.has(currency)) formats.set(currency, made(currency));
  return formats.get(currency);
}

function made(currency: string): Intl.NumberFormat | undefined {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "narrowSymbol" });
  } catch {
    return undefined;
  }
}

/** The first format in a process takes 10 ms. */
const plain = lazy(() => new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 }));

/** Returns "−€29.20" or "+€1,200.00"; for an unknown currency, "−29.20 points". */
export function moneyWords(amount: number, currency: string | undefined, signed = true): string {
  const format = currency === undefined ? undefined : formatOf(currency);
  const value = Math.abs(amount);
  const words = format?.format(value) ?? `${plain().format(value)}${currency === undefined ? "" : ` ${currency}`}`;
  const isZero = !/[1-9]/.test(words);
  return `${isZero ? "" : amount < 0 ? "−" : signed ? "+" : ""}${words}`;
}
