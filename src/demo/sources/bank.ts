// Banks: Nora's own accounts, and her joint account with Mateus at another bank, as CSV statements.
import { lazy } from "../../core/lazy.ts";
import { iso } from "../clock.ts";
import { csvOf } from "../formats/csv.ts";
import type { DemoExport } from "../home.ts";
import { bookings, type DemoBooking } from "./bank-bookings.ts";

interface DemoAccount {
  id: string;
  name: string;
  iban: string;
  openingCents: number;
}

const LIFFEY: DemoAccount[] = [
  { id: "liffey-current", name: "Current account", iban: "IE64 LIFF 9311 5212 3477 14", openingCents: 214_350 },
  { id: "liffey-savings", name: "Rainy day savings", iban: "IE11 LIFF 9311 5212 3490 20", openingCents: 480_000 },
];
const CANAL: DemoAccount[] = [
  { id: "canal-joint", name: "Joint account", iban: "IE29 CANA 9903 1812 3433 81", openingCents: 320_000 },
];

export function bankExports(): DemoExport[] {
  const all = lazy(bookings);
  return [
    bankExport("bank-liffey", "Liffey Bank", LIFFEY, all),
    bankExport("bank-canal", "Canal Credit Union (joint)", CANAL, all),
  ];
}

function bankExport(key: string, display_name: string, accounts: DemoAccount[], all: () => DemoBooking[]): DemoExport {
  return {
    key,
    display_name,
    *files() {
      for (const account of accounts) yield { path: `${account.name}.csv`, content: statement(account, all()) };
    },
  };
}

function statement({ id, name, iban, openingCents }: DemoAccount, all: readonly DemoBooking[]): string {
  let balance = openingCents;
  const own = all.filter(({ account }) => account === id).sort((a, b) => a.at - b.at);
  const rows = own.map((booking) => {
    balance += Math.round(booking.amount * 100);
    return [
      iso(booking.at).slice(0, 10),
      booking.counterparty,
      booking.description,
      booking.category,
      booking.kind,
      booking.amount.toFixed(2),
      "EUR",
      (balance / 100).toFixed(2),
      booking.id,
    ];
  });
  const header = [
    "Date",
    "Payee",
    "Description",
    "Category",
    "Type",
    "Amount",
    "Currency",
    "Balance",
    "Transaction ID",
  ];
  return csvOf([[name, iban], header, ...rows]);
}
