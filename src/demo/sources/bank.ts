// Banks: Nora's own accounts, and the joint account with Mateus at another bank.
import type { JsonObject } from "../../contract/record.ts";
import { iso } from "../clock.ts";
import {
  choice,
  currency,
  declareSource,
  instant,
  money,
  nullable,
  ranges,
  schema,
  selectable,
  text,
} from "../declare.ts";
import { type DemoConnection, type DemoSource, type Line, lazy, stream } from "../home.ts";
import { type Booking, bookings } from "./bank-bookings.ts";

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
      schema: schema("Bank transaction", {
        id: text("Id", "Stable id of the transaction."),
        account: text("Account", "Id of the account it was booked on."),
        booked_at: instant("Booked", "When it was booked."),
        amount: money("Amount", "Negative: money spent."),
        currency,
        balance: money("Balance", "Balance of the account afterwards."),
        counterparty: text("Counterparty", "Who was paid, or paid."),
        category: choice("Category", "What it was for.", CATEGORIES),
        description: text("Description", "Purpose of the payment."),
        kind: choice("Kind", "How it was paid.", ["card", "transfer", "direct_debit", "standing_order"]),
      }),
      primary_key: ["id"],
      cursor_field: "booked_at",
      consent_time_field: "booked_at",
      selection: selectable,
      views: [
        {
          id: "budget",
          label: "Amounts and categories",
          fields: ["id", "booked_at", "amount", "currency", "category"],
        },
        {
          id: "full",
          label: "Everything",
          fields: [
            "id",
            "account",
            "booked_at",
            "amount",
            "currency",
            "balance",
            "counterparty",
            "category",
            "description",
            "kind",
          ],
        },
      ],
      relationships: [{ name: "account_details", stream: "accounts", foreign_key: "account", cardinality: "has_one" }],
      query: {
        range_filters: ranges("booked_at", "amount", "balance"),
        expand: [{ name: "account_details" }],
        search: { lexical_fields: ["counterparty", "description"] },
        aggregations: {
          count: true,
          count_distinct: ["counterparty", "category"],
          group_by: ["category", "counterparty", "account", "currency", "kind"],
          group_by_time: ["booked_at"],
          sum: ["amount"],
          avg: ["amount"],
          min: ["amount", "balance", "booked_at"],
          max: ["amount", "balance", "booked_at"],
        },
      },
    },
    {
      name: "accounts",
      description: "Accounts held at this bank.",
      display: { label: "Accounts", detail: "Names, numbers and balances" },
      semantics: "mutable_state",
      schema: schema("Bank account", {
        id: text("Id", "Stable id of the account."),
        name: text("Name", "What the account is called."),
        iban: text("IBAN", "Masked but for the last four digits."),
        kind: choice("Kind", "Type of account.", ["current", "savings", "joint"]),
        currency,
        balance: money("Balance", "Balance at the last update."),
        closed_at: nullable(instant("Closed", "When it was closed.")),
        updated_at: instant("Updated", "Last update."),
      }),
      primary_key: ["id"],
      cursor_field: "updated_at",
      selection: selectable,
      views: [{ id: "names", label: "Names, no balances", fields: ["id", "name", "kind", "currency"] }],
      relationships: [
        { name: "transactions", stream: "transactions", foreign_key: "account", cardinality: "has_many" },
      ],
      query: {
        range_filters: ranges("balance", "updated_at"),
        expand: [{ name: "transactions", default_limit: 10, max_limit: 100 }],
        search: { lexical_fields: ["name"] },
        aggregations: { count: true, group_by: ["kind", "currency"], sum: ["balance"], max: ["balance"] },
      },
    },
  ]),
};

interface Account {
  id: string;
  name: string;
  iban: string;
  kind: "current" | "savings" | "joint";
  openingCents: number;
}

const ACCOUNTS: Record<"liffey" | "canal", Account[]> = {
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

function transactionLines(all: Booking[], accounts: Account[]): Line[] {
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

function accountLines(accounts: Account[], transactions: Line[]): Line[] {
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
