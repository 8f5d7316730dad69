// Recognises orders among tables: a list of purchases, whether exported by a shop or kept by a person, is shown as
// orders (V-01).
import type { DeclaredStream } from "../../../core/declare.ts";
import type { ColumnType, Shape } from "./shape.ts";

/** Column names in such a list. */
const COLUMNS = {
  amount:
    /^(?:grand |order |item )?total(?: (?:price|amount|owed|charged|paid|cost))?$|^(?:amount|price|gesamt(?:betrag|summe)?|betrag|montant|importe)$/,
  currency: /^(?:currency|währung|devise|moneda)(?: code)?$/,
  counterparty: /^(?:shop|store|merchant|seller|vendor|retailer|website|supplier|händler)(?: name)?$/,
  items: /^(?:items?|products?|articles?|artikel)(?: names?)?$|^(?:product|item) (?:title|description)$/,
  status: /^(?:order |shipment |delivery )?status$/,
} as const;
const NUMBERS: readonly ColumnType[] = ["number", "integer"];

/**
 * Returns the kind and the roles if the table contains orders: its name or a column name must say so, and it must have
 * a day and an amount.
 */
export function ordersIn(name: string, { columns, time }: Shape): Pick<DeclaredStream, "kind" | "roles"> {
  const words = columns.map(({ field, type }) => ({ field, type, word: wordOf(field) }));
  const isOrders =
    /\b(?:orders?|purchases?|bestellungen)\b/.test(wordOf(name)) ||
    words.some(({ word }) => /^(?:order|purchase) (?:id|number|no|date|time)$|^order(?:ed)? (?:at|on)$/.test(word));
  if (!isOrders || time === undefined) return {};
  const roles: Record<string, string> = {};
  for (const [role, pattern] of Object.entries(COLUMNS)) {
    const found = words.filter(
      ({ word, type }) => pattern.test(word) && (role === "amount" ? NUMBERS.includes(type) : type === "string"),
    );
    const total = found.find(({ word }) => word.includes("total")) ?? found[0];
    if (total !== undefined) roles[role] = total.field;
  }
  return roles.amount === undefined ? {} : { kind: "order", roles };
}

/** Converts `Order_Total` to "order total". */
const wordOf = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[\s_.-]+/g, " ")
    .trim()
    .toLowerCase();
