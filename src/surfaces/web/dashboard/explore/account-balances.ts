// The balance of an account: after its last transaction if transactions have a balance, or from a statement, whichever
// is later.
import type { RecordRead } from "../../../../contract/record.ts";
import type { StreamMetadata } from "../../../../contract/schema-document.ts";
import { timeFieldIn } from "../../../../core/title.ts";
import type { KindItem } from "../../kinds/item.ts";
import type { Visit } from "../../owner-page.ts";
import { foreignKeysOf } from "../record-related.ts";

type PageCalls = Pick<Visit, "look">;

export interface AccountBalance {
  balance: number;
  currency?: string;
  /** `YYYY-MM-DD` */
  day: string;
}

/** A stream whose records contain an account's balance. */
interface BalanceStream {
  metadata: StreamMetadata;
  connection_id: string;
  /** The field that contains the account's id. */
  key: string;
}

/** The maximum number of accounts on one page. People have fewer. */
const ACCOUNTS_MAX = 30;
/** The number of transactions that are searched for the last one of a day. */
const SAME_DAY_MAX = 50;

/** Adds balances, with the day of each, to accounts. */
export async function withBalances(
  { look }: PageCalls,
  metadata: StreamMetadata,
  items: readonly KindItem[],
): Promise<KindItem[]> {
  if (metadata.kind !== "account" || metadata.roles?.balance !== undefined) return [...items];
  const keys = await foreignKeysOf({ look }, metadata);
  const relations = metadata.expand_capabilities.filter(({ cardinality }) => cardinality === "has_many");
  return Promise.all(
    items.map(async (item, index) => {
      if (index >= ACCOUNTS_MAX) return item;
      const { connection_id, id } = item;
      const found = await Promise.all(
        relations.map(async ({ name, stream }) => {
          const of = {
            connection_id,
            key: keys.get(name) ?? "",
            metadata: await look("stream", { connection_id, stream }),
          };
          return lastBalance({ look }, of, id);
        }),
      );
      const [last] = found.flatMap((one) => one ?? []).sort((one, other) => other.day.localeCompare(one.day));
      return last === undefined ? item : withBalance(item, last);
    }),
  );
}

const withBalance = (item: KindItem, { balance, currency, day }: AccountBalance): KindItem => ({
  ...item,
  roles: { ...item.roles, balance: ["balance"], ...(currency === undefined ? {} : { currency: ["currency"] }) },
  data: { ...item.data, balance, ...(currency === undefined ? {} : { currency }) },
  when: { at: day, isDay: true },
});

export async function lastBalance(
  { look }: PageCalls,
  { metadata, connection_id, key }: BalanceStream,
  account: string,
): Promise<AccountBalance | undefined> {
  const { kind, roles = {}, field_capabilities } = metadata;
  const field = kind === "measurement" ? roles.value?.[0] : kind === "transaction" ? "balance" : undefined;
  const time = timeFieldIn(metadata);
  if (field === undefined || time === undefined || field_capabilities[field]?.type !== "number") return undefined;
  if (field_capabilities[key]?.exact_filter !== true) return undefined;
  const [amount, metric] = [roles.amount?.[0], roles.metric?.[0]];
  const currency = (kind === "measurement" ? roles.unit : roles.currency)?.[0];
  const fields = [field, time, amount, metric, currency].filter((name) => name !== undefined);
  const place = { connection_id, stream: metadata.name };
  const page = await look("records", { ...place, filter: { [key]: account }, fields, limit: SAME_DAY_MAX });
  const dated = page.data.filter((record) => "data" in record).filter(({ data }) => typeof data[field] === "number");
  const day = dayIn(dated[0], time);
  const sameDay = dated.filter((record) => dayIn(record, time) === day);
  const last = amount === undefined ? bestOf(sameDay, metric) : lastBooking(sameDay, field, amount);
  if (last === undefined || day === undefined) return undefined;
  const code = last.data[currency ?? ""];
  return { balance: last.data[field] as number, ...(typeof code === "string" ? { currency: code } : {}), day };
}

const dayIn = (record: RecordRead | undefined, time: string): string | undefined => {
  const at = record?.data[time];
  return typeof at === "string" ? at.slice(0, 10) : undefined;
};

/**
 * Statements have days but no times. The last transaction of a day is the one whose balance is not the starting balance
 * of another.
 */
function lastBooking(records: readonly RecordRead[], balance: string, amount: string): RecordRead | undefined {
  const cents = (value: unknown): number => Math.round((typeof value === "number" ? value : 0) * 100);
  const begins = new Set(records.map(({ data }) => cents(data[balance]) - cents(data[amount])));
  return records.find(({ data }) => !begins.has(cents(data[balance]))) ?? records[0];
}

/**
 * If there are several balances on one day, the booked balance at the end of the day is preferred to the available one.
 */
const PREFERRED = ["closing", "ledger", "available"];

function bestOf(records: readonly RecordRead[], metric: string | undefined): RecordRead | undefined {
  const rank = ({ data }: RecordRead): number => {
    const at = PREFERRED.indexOf(String(data[metric ?? ""]));
    return at === -1 ? PREFERRED.length : at;
  };
  return records.toSorted((one, other) => rank(one) - rank(other))[0];
}
