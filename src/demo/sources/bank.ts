// Banks: Nora's own accounts, and the joint account with Mateus at another bank.
import type { JsonObject } from "../../contract/record.ts";
import { hasMany, hasOne, recordSchema } from "../../core/declare.ts";
import { iso } from "../clock.ts";
import { declareSource, field } from "../declare.ts";
import { type DemoConnection, type DemoRecord, type DemoSource, lazy, stream } from "../home.ts";
import { bookings, type DemoBooking } from "./bank-bookings.ts";

const CATEGORIES = [
  "books",
  "clothing",
  "coffee",
  "dining",
  "family",
  "garden",
  "groceries",
  "health",
  "household",
  "housing",
  "income",
  "insurance",
  "leisure",
  "pets",
  "savings",
  "subscriptions",
  "transport",
  "travel",
  "utilities",
  "electronics",
];

export const bank: DemoSource = {
  connector_key: "bank",
  declaration: declareSource("bank", "Bank", [
    {
      name: "transactions",
      description: "Booked payments in and out.",
      display: { label: "Transactions", detail: "Amounts, counterparties and purposes" },
      semantics: "append_only",
      schema: recordSchema("Bank transaction", {
        id: field.text("Id", "Stable id of the transaction."),
        account: field.text("Account", "Id of the account it was booked on."),
        booked_at: field.instant("Booked", "When it was booked."),
        amount: field.number("Amount", "Negative: money spent."),
        currency: field.currency,
        balance: field.number("Balance", "Balance of the account afterwards."),
        counterparty: field.text("Counterparty", "Who was paid, or paid."),
        category: field.choice("Category", "What it was for.", CATEGORIES),
        description: field.text("Description", "Purpose of the payment."),
        kind: field.choice("Kind", "How it was paid.", ["card", "transfer", "direct_debit", "standing_order"]),
      }),
      time: "booked_at",
      views: [
        {
          id: "budget",
          label: "Amounts and categories",
          fields: ["id", "booked_at", "amount", "currency", "category"],
        },
        { id: "full", label: "Everything" },
      ],
      related: { account_details: hasOne("accounts", "account") },
      ranges: ["booked_at", "amount", "balance"],
      search: ["counterparty", "description"],
      aggregations: {
        count_distinct: ["counterparty", "category"],
        group_by: ["category", "counterparty", "account", "currency", "kind"],
        group_by_time: ["booked_at"],
        sum: ["amount"],
        avg: ["amount"],
        min: ["amount", "balance", "booked_at"],
        max: ["amount", "balance", "booked_at"],
      },
    },
    {
      name: "accounts",
      description: "Accounts held at this bank.",
      display: { label: "Accounts", detail: "Names, numbers and balances" },
      schema: recordSchema("Bank account", {
        id: field.text("Id", "Stable id of the account."),
        name: field.text("Name", "What the account is called."),
        iban: field.text("IBAN", "Masked but for the last four digits."),
        kind: field.choice("Kind", "Type of account.", ["current", "savings", "joint"]),
        currency: field.currency,
        balance: field.number("Balance", "Balance at the last update."),
        closed_at: field.nullable(field.instant("Closed", "When it was closed.")),
        updated_at: field.instant("Updated", "Last update."),
      }),
      cursor_field: "updated_at",
      views: [{ id: "names", label: "Names, no balances", fields: ["id", "name", "kind", "currency"] }],
      related: { transactions: hasMany("transactions", "account", 100) },
      ranges: ["balance", "updated_at"],
      search: ["name"],
      aggregations: { group_by: ["kind", "currency"], sum: ["balance"], max: ["balance"] },
    },
  ]),
};

interface DemoAccount {
  id: string;
  name: string;
  iban: string;
  kind: "current" | "savings" | "joint";
  openingCents: number;
}

const ACCOUNTS: Record<"liffey" | "canal", DemoAccount[]> = {
  liffey: [
    {
      id: "liffey-current",
      name: "Current account",
      iban: "IE•• •••• •••• •••• •• 7714",
      kind: "current",
      openingCents: 214_350,
    },
    {
      id: "liffey-savings",
      name: "Rainy day savings",
      iban: "IE•• •••• •••• •••• •• 9020",
      kind: "savings",
      openingCents: 480_000,
    },
  ],
  canal: [
    {
      id: "canal-joint",
      name: "Joint account",
      iban: "IE•• •••• •••• •••• •• 3381",
      kind: "joint",
      openingCents: 320_000,
    },
  ],
};

export function bankConnections(): DemoConnection[] {
  const all = lazy(bookings);
  return [connection("liffey", "Liffey Bank"), connection("canal", "Canal Credit Union (joint)")];

  function connection(which: "liffey" | "canal", displayName: string): DemoConnection {
    const accounts = ACCOUNTS[which];
    const own = lazy(() => transactionLines(all(), accounts));
    return {
      ...bank,
      key: `bank-${which}`,
      display_name: displayName,
      streams: [stream("accounts", () => accountLines(accounts, own())), stream("transactions", own)],
    };
  }
}

function transactionLines(all: DemoBooking[], accounts: DemoAccount[]): DemoRecord[] {
  const balances = new Map(accounts.map((account) => [account.id, account.openingCents]));
  return all
    .filter((booking) => balances.has(booking.account))
    .sort((a, b) => a.at - b.at)
    .map((booking) => {
      const balance = balances.get(booking.account)! + Math.round(booking.amount * 100);
      balances.set(booking.account, balance);
      const data: JsonObject = {
        id: booking.id,
        account: booking.account,
        booked_at: iso(booking.at),
        amount: booking.amount,
        currency: "EUR",
        balance: balance / 100,
        counterparty: booking.counterparty,
        category: booking.category,
        description: booking.description,
        kind: booking.kind,
      };
      return { id: booking.id, at: booking.at, data };
    });
}

function accountLines(accounts: DemoAccount[], transactions: DemoRecord[]): DemoRecord[] {
  return accounts.map(({ openingCents, ...account }) => {
    const last = transactions.filter((line) => line.data?.account === account.id).at(-1)!;
    const data: JsonObject = {
      ...account,
      currency: "EUR",
      balance: last.data?.balance ?? openingCents / 100,
      closed_at: null,
      updated_at: iso(last.at),
    };
    return { id: account.id, at: last.at, data };
  });
}
