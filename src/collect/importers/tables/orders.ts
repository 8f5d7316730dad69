// Orders among tables: a list of purchases, as shops export them and people keep them, is shown as orders (V-01).
import type { DeclaredStream } from "../../../core/declare.ts";
import type { ColumnType, Shape } from "./shape.ts";

/** Names of the columns of such a list. */
const COLUMNS = {
  amount:
    /^(?:grand |order |item )?total(?: (?:price|amount|owed|charged|paid|cost))?$|^(?:amount|price|gesamt(?:betrag|summe)?|betrag|montant|importe)$/,
  currency: /^(?:currency|währung|devise|moneda)(?: code)?$/,
  counterparty: /^(?:shop|store|merchant|seller|vendor|retailer|website|supplier|händler)(?: name)?$/,
  items: /^(?:items?|products?|articles?|artikel)(?: names?)?$|^(?:product|item) (?:title|description)$/,
  status: /^(?:order |shipment |delivery )?status$/,
} as const;
const NUMBERS: readonly ColumnType[] = ["number", "integer"];

/** The kind and the roles, if the table is one of orders: by its own name or that of a column, with a day and an amount. */
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

/** `Order_Total` is "order total". */
const wordOf = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[\s_.-]+/g, " ")
    .trim()
    .toLowerCase();
