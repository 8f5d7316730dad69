// The common form of bank statements: accounts, balances and transactions, before they become records.
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import type { ImportEvent } from "../../importer.ts";
import type { MakeId } from "../../record-ids.ts";
import { ordinals } from "../ordinals.ts";
import { digestOf } from "../replay.ts";

export interface StatedAccount {
  /** The bank code and account number. Stored as a digest, so that a key does not reveal the number. */
  identity: string;
  name?: string;
  number?: string;
  bank?: string;
  bank_code?: string;
  type?: string;
  currency?: string;
}

export interface BookingPart {
  amount_text: string;
  category?: string;
  counterparty?: string;
  description?: string;
}

export interface Booking {
  booked_on: string;
  amount_text: string;
  /** The bank's own id for the transaction: FITID, AcctSvcrRef. */
  reference?: string;
  booked_at?: string;
  value_on?: string;
  currency?: string;
  counterparty?: string;
  counterparty_account?: string;
  description?: string;
  category?: string;
  kind?: string;
  status?: string;
  check_number?: string;
  balance_text?: string;
  security?: string;
  units?: string;
  unit_price?: string;
  parts?: BookingPart[];
  /** CSV columns that have no field. */
  other_columns?: { heading: string; value: string }[];
}

export interface Balance {
  kind: string;
  day: string;
  amount_text: string;
  currency?: string;
}

export type StatementItem =
  | { account: StatedAccount }
  | { booking: Booking; account: StatedAccount; offset: number }
  | { balance: Balance; account: StatedAccount; offset: number }
  | { problem: string; offset: number }
  | { skipped: string; offset: number };

const accountId = ({ identity }: StatedAccount): string => `acct-${digestOf(identity)}`;

/** Yields the records of one statement. The same transaction in an overlapping statement gets the same key. */
export async function* recordsOfStatement(
  entry: Entry,
  stated: AsyncIterable<StatementItem>,
  makeId: MakeId,
): AsyncGenerator<ImportEvent> {
  const written = new Set<string>();
  const keys = bookingKeys();
  for await (const item of stated) {
    if ("problem" in item) yield { kind: "error", entry, offset: item.offset, message: item.problem };
    else if ("skipped" in item) yield { kind: "skip", entry, offset: item.offset, reason: item.skipped };
    else {
      const identity = accountId(item.account);
      const account = makeId(identity);
      if (!written.has(account)) {
        written.add(account);
        yield {
          kind: "record",
          stream: "accounts",
          key: account,
          data: accountData(account, item.account),
          entry,
        };
      }
      if ("booking" in item) {
        const booking = keys(identity, item.booking);
        if (booking === undefined)
          yield { kind: "skip", entry, offset: item.offset, reason: "the statement has this transaction twice" };
        else {
          const id = makeId(booking);
          const data = bookingData(id, account, item.booking, item.account.currency);
          yield {
            kind: "record",
            stream: "transactions",
            key: id,
            data,
            entry,
            offset: item.offset,
          };
        }
      } else if ("balance" in item) {
        const { kind, day, amount_text, currency = item.account.currency } = item.balance;
        const id = makeId(`${identity}.${day}.${kind}`);
        if (written.has(id)) continue;
        written.add(id);
        const data = {
          id,
          account,
          day,
          kind,
          amount: Number(amount_text),
          amount_text,
          ...(currency ? { currency } : {}),
        };
        yield {
          kind: "record",
          stream: "balances",
          key: id,
          data,
          entry,
          offset: item.offset,
        };
      }
    }
  }
}

/**
 * The key is the bank's reference if it identifies one transaction, otherwise the content plus an ordinal among equal
 * transactions.
 */
function bookingKeys(): (account: string, booking: Booking) => string | undefined {
  const contents = new Map<string, string>();
  const ordinal = ordinals();
  return (account, { reference, ...booking }) => {
    const content = digestOf(
      account,
      booking.booked_on,
      booking.amount_text,
      booking.counterparty ?? "",
      booking.description ?? "",
      booking.balance_text ?? "",
      booking.security ?? "",
    );
    if (reference === undefined || /^0*$/.test(reference)) return `${account}.${content}.${ordinal(content)}`;
    const name = reference.length > 200 ? digestOf(reference) : reference;
    const id = `${account}.ref.${name}`;
    const first = contents.get(id);
    contents.set(id, first ?? content);
    if (first === undefined) return id;
    // Some banks use one reference for several transactions, so different content means a different transaction.
    return first === content ? undefined : `${id}.${content}.${ordinal(id + content)}`;
  };
}

function accountData(id: string, { identity: _identity, ...account }: StatedAccount): JsonObject {
  return withoutEmpty({ id, ...account });
}

function bookingData(id: string, account: string, booking: Booking, accountCurrency: string | undefined): JsonObject {
  const { booked_on, amount_text, balance_text, parts, currency = accountCurrency, other_columns, ...rest } = booking;
  return withoutEmpty({
    id,
    account,
    booked_on,
    amount: Number(amount_text),
    amount_text,
    currency,
    ...rest,
    ...(balance_text === undefined ? {} : { balance: Number(balance_text), balance_text }),
    ...(parts === undefined || parts.length === 0
      ? {}
      : { parts: parts.map((part) => withoutEmpty({ amount: Number(part.amount_text), ...part })) }),
    ...(other_columns === undefined ? {} : { other_columns: other_columns.map((one) => withoutEmpty(one)) }),
  });
}

function withoutEmpty(fields: Record<string, JsonObject[string] | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields)
      .filter((field): field is [string, JsonObject[string]] => field[1] !== undefined && field[1] !== "")
      .map(([name, value]) => [name, typeof value === "string" ? value.toWellFormed() : value]),
  );
}
