// Storage for the private addresses that the owner allowed, each for one app.
import { hostRuleCovers, webhookAddress } from "../../core/webhook-url.ts";
import type { ReadView, WriteView } from "../../store/store.ts";
import { grantRows } from "./holder.ts";
import { subscriptions } from "./stored.ts";

/** The item's id is `HOST:PORT CLIENT`, and its holder is the app's client id. */
const KIND = "event-address";
/** Version 0.1 allowed a host, with or without a port, for every app. */
const HOST_WIDE = "event-host";

export interface Allowance {
  clientId: string;
  /** `HOST:PORT` */
  address: string;
  allowedAt: number;
}

/** Sorted newest first. */
export async function allowances(view: ReadView, subjectId: string): Promise<Allowance[]> {
  const stored = (await view.items(subjectId, KIND)).map(({ id, holder, createdAt }) => ({
    clientId: holder!,
    address: id.slice(0, id.indexOf(" ")),
    allowedAt: createdAt,
  }));
  const converted = (await hostWideInUse(view, subjectId)).filter((one) => !stored.some((known) => isSame(known, one)));
  return [...stored, ...converted];
}

export const isSame = (one: Omit<Allowance, "allowedAt">, other: Omit<Allowance, "allowedAt">): boolean =>
  one.clientId === other.clientId && one.address === other.address;

export async function allowedAddresses(view: ReadView, subjectId: string, clientId: string): Promise<Set<string>> {
  const own = (await allowances(view, subjectId)).filter((one) => one.clientId === clientId);
  return new Set(own.map(({ address }) => address));
}

export async function putAllowance(view: WriteView, subjectId: string, one: Allowance): Promise<void> {
  const { clientId: holder, allowedAt: createdAt } = one;
  await view.putItem(subjectId, { kind: KIND, id: idOf(one), holder, createdAt, dueAt: null, body: {} });
}

export async function dropAllowance(
  view: WriteView,
  subjectId: string,
  one: Omit<Allowance, "allowedAt">,
): Promise<void> {
  await view.deleteItem(subjectId, KIND, idOf(one));
}

const idOf = ({ address, clientId }: Omit<Allowance, "allowedAt">): string => `${address} ${clientId}`;

/**
 * Must run before any subscription is written, because a new subscription would otherwise use a host-wide allowance.
 */
export async function convertHostWide(view: WriteView, subjectId: string): Promise<void> {
  const rules = await view.items(subjectId, HOST_WIDE);
  if (rules.length === 0) return;
  for (const one of await allowances(view, subjectId)) await putAllowance(view, subjectId, one);
  for (const { id } of rules) await view.deleteItem(subjectId, HOST_WIDE, id);
}

/** Only host-wide allowances that a subscription uses are kept. */
async function hostWideInUse(view: ReadView, subjectId: string): Promise<Allowance[]> {
  const rules = await view.items(subjectId, HOST_WIDE);
  if (rules.length === 0) return [];
  const inUse: Allowance[] = [];
  for (const { url, holder, status } of await subscriptions(view, subjectId)) {
    const rule = rules.find(({ id }) => hostRuleCovers(id, new URL(url)));
    const clientId = (await grantRows(view, holder))[0]?.grant.client.client_id;
    if (rule === undefined || clientId === undefined || status === "ended") continue;
    const one = { clientId, address: webhookAddress(new URL(url)), allowedAt: rule.createdAt };
    if (!inUse.some((known) => isSame(known, one))) inUse.push(one);
  }
  return inUse;
}
