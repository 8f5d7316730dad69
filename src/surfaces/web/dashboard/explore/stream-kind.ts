// Additional data for kind views besides a page of records: the days of a calendar, the sums of a ledger, the last
// message of each chat.

import type { Filter } from "../../../../contract/read.ts";
import type { StreamMetadata } from "../../../../contract/schema-document.ts";
import { identifierKey } from "../../../../core/people/identifiers.ts";
import { accountNumber, timeFieldIn } from "../../../../core/title.ts";
import { type CalendarSpan, calendarSpan } from "../../kinds/calendar.ts";
import { itemOf, type KindItem } from "../../kinds/item.ts";
import type { LedgerSums } from "../../kinds/ledger.ts";
import type { Visit } from "../../owner-page.ts";
import { lastBalance } from "./account-balances.ts";
import { changed, type StreamPlace, streamAddress } from "./addresses.ts";
import { dayAfter, dayAt } from "./local-days.ts";
import type { StreamPageState } from "./stream-state.ts";
import { type DatedStream, edge, type Measure, narrowed, type Timeline } from "./timeline.ts";

/** A conversation in the inbox. */
export interface InboxEntry {
  name: string;
  href: string;
  count: number;
  last: KindItem;
}

interface KindRequest {
  place: StreamPlace;
  metadata: StreamMetadata;
  state: StreamPageState;
  zone: string;
  now: number;
}

type PageCalls = Pick<Visit, "look">;

/** Returns the fields that views read: those with a role, the time, and the units next to numbers. */
export function kindFields(metadata: StreamMetadata): string[] {
  const time = timeFieldIn(metadata);
  const held = [...Object.values(metadata.roles ?? {}).flat(), ...(time === undefined ? [] : [time])];
  const units = held.map((name) => `${name}_unit`).filter((name) => metadata.field_capabilities[name] !== undefined);
  return [...new Set([...held, ...units])];
}

/** Returns the owner's names, addresses, numbers and handles, to tell who wrote what. */
export async function ownNames({ look }: PageCalls): Promise<string[]> {
  const [{ names, addresses, numbers }, handles] = await Promise.all([look("me", {}), look("ownHandles", {})]);
  return [
    ...[...names, ...addresses, ...numbers].map((text) => text.toLowerCase()),
    ...handles.map(({ handle, connectionId }) => identifierKey("handle", handle, connectionId)),
  ];
}

/** Returns the field that identifies conversations, if they can be listed. */
export function conversationField({ kind, roles = {}, field_capabilities }: StreamMetadata): string | undefined {
  const field = kind === "message" ? roles.conversation?.[0] : undefined;
  const can = field_capabilities[field ?? ""];
  return can?.exact_filter === true && can.aggregation.group_by ? field : undefined;
}

const INBOX_MAX = 40;

/** Lists each conversation with its last message, latest first. */
export async function inboxOf(
  { look }: PageCalls,
  { place, metadata, state }: KindRequest,
  field: string,
): Promise<InboxEntry[]> {
  const { filter } = state;
  const where = Object.keys(filter).length === 0 ? place : { ...place, filter };
  const { groups = [] } = await look("aggregate", { ...where, metric: "count", group_by: field, limit: INBOX_MAX });
  const entries = await Promise.all(
    groups.map(async ({ key, count }): Promise<InboxEntry[]> => {
      if (typeof key !== "string") return [];
      const query = { ...place, filter: { ...filter, [field]: key }, fields: kindFields(metadata), limit: 1 };
      const [last] = (await look("records", query)).data;
      if (last === undefined || !("data" in last)) return [];
      const href = streamAddress(place, changed(state.pairs, { [`filter[${field}]`]: key }));
      return [{ name: key, href, count, last: itemOf(last, metadata) }];
    }),
  );
  const at = ({ last }: InboxEntry): number => Date.parse(last.when?.at ?? "") || 0;
  return entries.flat().sort((one, other) => at(other) - at(one));
}

/**
 * Returns the days that a calendar shows: the requested ones, otherwise the current ones, otherwise the last ones with
 * data.
 */
export function spanOf({ state, zone, now }: KindRequest, timeline: Timeline | undefined): CalendarSpan | undefined {
  if (state.show !== "month" && state.show !== "week") return undefined;
  const today = dayAt(now, zone);
  const held = timeline?.buckets.filter(({ count }) => count > 0) ?? [];
  const last = held.at(-1)?.until ?? today;
  const first = held[0]?.since ?? today;
  return calendarSpan(state.show, state.at ?? (last < today ? last : first > today ? first : today));
}

const EVENTS_MAX = 500;

/** Reads one more day on both sides, because all-day events are stored at midnight in another time zone. */
export async function eventsIn(
  { look }: PageCalls,
  { place, metadata, state, zone }: KindRequest,
  dated: DatedStream,
  { since, until }: CalendarSpan,
): Promise<KindItem[]> {
  const bounds = { gte: edge(dayAfter(since, -1), dated, zone), lt: edge(dayAfter(until, 2), dated, zone) };
  const query = { ...place, filter: narrowed(state.filter, dated, bounds), fields: kindFields(metadata), limit: 100 };
  const items: KindItem[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await look("records", cursor === undefined ? query : { ...query, cursor });
    for (const record of page.data) if ("data" in record) items.push(itemOf(record, metadata));
    cursor = page.next_cursor;
    if (cursor === undefined || items.length >= EVENTS_MAX) return items;
  }
}

/** For a stream of payments, returns the amount that can be summed, in the most common currency. */
export async function spendingOf(
  { look }: PageCalls,
  { place, metadata, state }: Pick<KindRequest, "place" | "metadata" | "state">,
): Promise<Measure | undefined> {
  const { kind, roles = {}, field_capabilities } = metadata;
  const amount = roles.amount?.[0];
  if ((kind !== "transaction" && kind !== "order") || amount === undefined) return undefined;
  const can = field_capabilities[amount]!;
  if (!can.aggregation.sum) return undefined;
  const [currency] = await currenciesOf({ look }, place, metadata, state.filter);
  // Orders always count as spending, but payments only if they are outgoing.
  const isSpent: Filter = kind === "transaction" && can.range_filter.includes("lt") ? { [amount]: { lt: 0 } } : {};
  return {
    label: "Spent",
    field: amount,
    filter: { ...isSpent, ...currency?.filter },
    ...(currency?.code === undefined ? {} : { currency: currency.code }),
  };
}

interface Currency {
  code?: string;
  filter: Filter;
}

const CURRENCIES_MAX = 4;

/** Lists the most frequent currency first. Amounts in different currencies are never added. */
async function currenciesOf(
  { look }: PageCalls,
  place: StreamPlace,
  { roles = {}, field_capabilities }: StreamMetadata,
  filter: Filter,
): Promise<Currency[]> {
  const field = roles.currency?.[0];
  const can = field_capabilities[field ?? ""];
  if (field === undefined || can?.aggregation.group_by !== true || !can.exact_filter) return [{ filter: {} }];
  const where = Object.keys(filter).length === 0 ? place : { ...place, filter };
  const { groups = [] } = await look("aggregate", {
    ...where,
    metric: "count",
    group_by: field,
    limit: CURRENCIES_MAX,
  });
  return groups.flatMap(({ key }) => (typeof key === "string" ? [{ code: key, filter: { [field]: key } }] : []));
}

const CATEGORIES_MAX = 8;

export async function ledgerOf({ look }: PageCalls, request: KindRequest, dated: DatedStream): Promise<LedgerSums> {
  const { place, metadata, state, zone } = request;
  const { roles = {}, field_capabilities } = metadata;
  const amount = roles.amount![0]!;
  const category = roles.category?.[0];
  const isSigned = metadata.kind === "transaction" && field_capabilities[amount]!.range_filter.includes("lt");
  const currencies = await currenciesOf({ look }, place, metadata, state.filter);
  const sums = { ...place, metric: "sum" as const, field: amount };
  const months = await Promise.all(
    currencies.flatMap(({ code, filter }) =>
      (isSigned ? ([{ gt: 0 }, { lt: 0 }] as const) : ([undefined] as const)).map(async (bound) => {
        const own: Filter = { ...(bound === undefined ? {} : { [amount]: bound }), ...filter, ...state.filter };
        const { groups = [] } = await look("aggregate", {
          ...sums,
          ...(Object.keys(own).length === 0 ? {} : { filter: own }),
          group_by_time: dated.field,
          granularity: "month",
          time_zone: zone,
          order_by: "-key",
          limit: 100,
        });
        return groups.flatMap(({ key, value }) =>
          typeof key === "string" && typeof value === "number"
            ? [{ month: key, code, isSpent: bound === undefined || "lt" in bound, value }]
            : [],
        );
      }),
    ),
  );
  const byMonth = Map.groupBy(months.flat(), ({ month, code }) => `${month} ${code ?? ""}`);
  const total = (own: readonly { isSpent: boolean; value: number }[], isSpent: boolean): number =>
    own.filter((one) => one.isSpent === isSpent).reduce((sum, { value }) => sum + value, 0);
  return {
    months: [...byMonth.values()].map((own) => ({
      month: own[0]!.month,
      ...(own[0]!.code === undefined ? {} : { currency: own[0]!.code }),
      received: total(own, false),
      spent: total(own, true) * (isSigned ? 1 : -1),
    })),
    categories:
      category === undefined
        ? []
        : await categoriesOf({ look }, request, { amount, category, isSigned, currency: currencies[0] }),
    balances: await balancesOf({ look }, request),
  };
}

async function categoriesOf(
  { look }: PageCalls,
  { place, metadata, state }: KindRequest,
  {
    amount,
    category,
    isSigned,
    currency,
  }: { amount: string; category: string; isSigned: boolean; currency: Currency | undefined },
): Promise<LedgerSums["categories"]> {
  if (metadata.field_capabilities[category]?.aggregation.group_by !== true) return [];
  const filter: Filter = { ...(isSigned ? { [amount]: { lt: 0 } } : {}), ...currency?.filter, ...state.filter };
  const { groups = [] } = await look("aggregate", {
    ...place,
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    metric: "sum",
    field: amount,
    group_by: category,
    order_by: isSigned ? "value" : "-value",
    limit: CATEGORIES_MAX,
  });
  return groups.flatMap(({ key, value }) =>
    typeof value !== "number" || value === 0
      ? []
      : [
          {
            category: key === null || key === "" ? "Without a category" : String(key),
            spent: Math.abs(value),
            ...(currency?.code === undefined ? {} : { currency: currency.code }),
            ...(key === null || key === ""
              ? {}
              : { href: streamAddress(place, changed(state.pairs, { [`filter[${category}]`]: String(key) })) }),
          },
        ],
  );
}

const ACCOUNTS_MAX = 6;

/** Returns the balance after the last transaction of each account, if the bank provides it. */
async function balancesOf(
  { look }: PageCalls,
  { place, metadata, state }: KindRequest,
): Promise<LedgerSums["balances"]> {
  const { roles = {}, field_capabilities } = metadata;
  const account = roles.account?.[0];
  if (
    account === undefined ||
    field_capabilities.balance?.type !== "number" ||
    field_capabilities[account]?.aggregation.group_by !== true
  )
    return [];
  const { groups = [] } = await look("aggregate", {
    ...place,
    metric: "count",
    group_by: account,
    limit: ACCOUNTS_MAX,
  });
  const found = await Promise.all(
    groups.map(async ({ key }): Promise<LedgerSums["balances"]> => {
      if (typeof key !== "string") return [];
      const last = await lastBalance({ look }, { metadata, connection_id: place.connection_id, key: account }, key);
      if (last === undefined) return [];
      return [
        {
          account: await accountName({ look }, place, key),
          balance: last.balance,
          ...(last.currency === undefined ? {} : { currency: last.currency }),
          href: streamAddress(place, changed(state.pairs, { [`filter[${account}]`]: key })),
        },
      ];
    }),
  );
  return found.flat();
}

/** Finds an account's name. Accounts are records in a separate stream next to the payments. */
async function accountName({ look }: PageCalls, { connection_id }: StreamPlace, id: string): Promise<string> {
  try {
    const metadata = await look("stream", { connection_id, stream: "accounts" });
    const found = await look("record", { connection_id, stream: "accounts", id });
    if (metadata.kind !== "account") return id;
    const { title } = itemOf(found, metadata);
    const number = found.data[metadata.roles?.number?.[0] ?? ""];
    return typeof number === "string" && found.data[metadata.roles?.title?.[0] ?? ""] === undefined
      ? accountNumber(number)!
      : title;
  } catch {
    return id;
  }
}
