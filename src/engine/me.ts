// The owner's identifiers (K-06): the sign-in name, imported accounts, and identifiers that the owner entered.
import type { Identifiers } from "../contract/me.ts";
import type { MeChange } from "../contract/write.ts";
import { visibleColumns } from "../core/capabilities.ts";
import { identifierOf, identifiersOf, isIdentifier } from "../core/identifiers.ts";
import { compilePlan } from "../core/plan.ts";
import { peopleFields } from "../core/roles.ts";
import { isOwner, type ScopeRow } from "../core/scope.ts";
import type { ReadView, WriteView } from "../store/store.ts";
import type { Caller } from "./caller.ts";
import type { ReadContext } from "./read/context.ts";
import { selectionFor } from "./read/records.ts";
import { accountOf } from "./write/imports.ts";

const KIND = "me";

/** The owner's additions to and removals from the identifiers found in the data. */
interface StatedIdentifiers {
  added: string[];
  removed: string[];
}

async function stated(view: ReadView, subjectId: string): Promise<StatedIdentifiers> {
  const item = await view.item(subjectId, KIND, KIND);
  return (item?.body as unknown as StatedIdentifiers | undefined) ?? { added: [], removed: [] };
}

/**
 * Returns all identifiers for the owner. For an app, returns only those of the connections that it can read: the
 * account of a hidden connection would reveal that an address in a visible record is the owner's (G-01).
 */
export async function ownIdentifiers(view: ReadView, { subjectId, catalog, scope }: Caller): Promise<string[]> {
  const { added, removed } = await stated(view, subjectId);
  const owner = await view.owner(subjectId);
  const known = owner === undefined ? [] : [owner.name];
  const granted = new Set(scope.rows.map(({ stream }) => stream.connectionId));
  for (const { connectionId } of catalog.connections) {
    if (!isOwner(scope) && !granted.has(connectionId)) continue;
    const account = await accountOf(view, subjectId, connectionId);
    if (account !== undefined && isIdentifier(account)) known.push(account);
  }
  return [...new Set([...known.filter((text) => !removed.includes(text)), ...added])];
}

interface OwnHandle {
  connectionId: string;
  connectorKey: string;
  handle: string;
}

/** Accounts that may be handles, such as the login name in an export. Each is specific to its source. */
export async function ownHandles(view: ReadView, { subjectId, catalog }: Caller): Promise<OwnHandle[]> {
  const handles: OwnHandle[] = [];
  for (const { connectionId, connectorKey } of catalog.connections) {
    const account = await accountOf(view, subjectId, connectionId);
    if (account !== undefined && !isIdentifier(account)) handles.push({ connectionId, connectorKey, handle: account });
  }
  return handles;
}

export async function changeMe(view: WriteView, caller: Caller, { add = [], remove = [] }: MeChange, now: number) {
  const before = await stated(view, caller.subjectId);
  const [added, removed] = [add, remove].map((texts) => texts.map(identifierOf)) as [string[], string[]];
  const body = {
    added: [...new Set([...before.added, ...added])].filter((text) => !removed.includes(text)),
    removed: [...new Set([...before.removed, ...removed])].filter((text) => !added.includes(text)),
  };
  await view.putItem(caller.subjectId, { kind: KIND, id: KIND, holder: null, createdAt: now, dueAt: null, body });
  return { object: "me" as const, ...identifiersOf(await ownIdentifiers(view, caller)) };
}

/** The identifiers that appear in these rows, so an app gets only those that it can read in a record. */
export async function readMe(context: ReadContext, rows: readonly ScopeRow[]): Promise<Identifiers> {
  const { view, caller } = context;
  let unseen = await ownIdentifiers(view, caller);
  if (isOwner(caller.scope)) return identifiersOf(unseen);
  const all = unseen;
  for (const row of rows) {
    if (unseen.length === 0) break;
    const named = peopleFields(row.stream);
    if (named.length === 0) continue;
    const visible = new Set(visibleColumns(row));
    for (const field of named.filter((name) => visible.has(name))) {
      if (unseen.length === 0) break;
      const seen = await seenIn(context, row, field, unseen);
      unseen = unseen.filter((text) => !seen.includes(text));
    }
  }
  return identifiersOf(all.filter((text) => !unseen.includes(text)));
}

async function seenIn(context: ReadContext, row: ScopeRow, field: string, texts: readonly string[]): Promise<string[]> {
  const plan = compilePlan(row);
  const columns = await context.columns(plan);
  const has = async (values: readonly string[]): Promise<boolean> =>
    (await columns.count(selectionFor(plan, [{ field, op: "in", values: [...values] }]))) > 0;
  if (!(await has(texts))) return [];
  const seen: string[] = [];
  for (const text of texts) if (await has([text])) seen.push(text);
  return seen;
}
