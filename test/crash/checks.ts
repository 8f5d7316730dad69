// Invariants after every restart: no acknowledged write is lost, nothing is partial, and all responses agree.
import { createHash } from "node:crypto";
import type { Activity } from "../../src/contract/activity.ts";
import type { Aggregation, List, RecordList } from "../../src/contract/answers.ts";
import { catchUp, type Mirror, withoutLinks } from "./mirror.ts";
import { applied, type Item, type Model } from "./model.ts";
import type { Session } from "./operations.ts";
import { read } from "./read.ts";
import { checkSearch } from "./search-checks.ts";
import { CONNECTOR, STREAM } from "./world.ts";

type Ask = Session["ask"];

/** A period for which the audit log itself states that lines may be missing. */
export interface AuditGap {
  since: number;
  until: number;
}

/** Throws if the log lacks acknowledged reads outside such a period. */
export type CheckMissing = (missing: ReadonlyMap<string, number>, gaps: readonly AuditGap[]) => void;

const nothingIsMissing: CheckMissing = (missing) => {
  if (missing.size > 0)
    throw new Error(`acknowledged reads missing from the audit log: ${[...missing.keys()].join(", ")}`);
};

export async function checkAll(
  session: Session,
  mirror: Mirror,
  pictures: (url: string) => Promise<Uint8Array>,
  checkMissing = nothingIsMissing,
): Promise<void> {
  const { model, ask } = session;
  await checkItems(model, ask);
  await catchUp(mirror, session);
  sameItems(mirror.items, model.items, "the mirror");
  // Runs in parallel, because each check uses a different thread of the server.
  await Promise.all([
    checkSums(model, ask),
    checkSearch(session),
    checkGrants(model, ask),
    checkState(model, ask),
    checkBlobs(model, pictures),
  ]);
  await checkAudit(model, ask, checkMissing);
}

/** Determines whether the unacknowledged batch was stored. It must be stored completely or not at all. */
async function checkItems(model: Model, ask: Ask): Promise<void> {
  const found = new Map<string, Item>();
  for (let cursor = ""; ; ) {
    const page = await read<RecordList>(ask, `/v1/streams/${STREAM}/records?limit=100${cursor}`);
    for (const record of page.data) {
      if (found.has(record.id)) throw new Error(`${record.id} is on two pages`);
      if ("data" in record) found.set(record.id, withoutLinks(record.data as unknown as Item));
    }
    if (!page.has_more) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  if (model.uncertain !== undefined) {
    const after = applied(model.items, model.uncertain);
    if (difference(found, after) === undefined) model.items = after;
    model.uncertain = undefined;
  }
  sameItems(found, model.items, "the listing");
}

/** Compares columns with rows. Both must have the same records. */
async function checkSums(model: Model, ask: Ask): Promise<void> {
  const sums = new Map<string, { count: number; value: number }>();
  for (const { group, amount } of model.items.values()) {
    const sum = sums.get(group) ?? { count: 0, value: 0 };
    sums.set(group, { count: sum.count + 1, value: sum.value + amount });
  }
  const path = `/v1/streams/${STREAM}/aggregate?metric=sum&field=amount&group_by=group`;
  const { groups, filtered_record_count } = await read<Aggregation>(ask, path);
  if (filtered_record_count !== model.items.size) {
    throw new Error(`the columns have ${filtered_record_count} records, but the rows have ${model.items.size}`);
  }
  for (const { key, count, value } of groups!) {
    const sum = sums.get(key as string);
    if (sum?.count !== count || sum.value !== value)
      throw new Error(`group ${key}: ${count}, ${value}, not ${JSON.stringify(sum)}`);
  }
}

async function checkGrants(model: Model, ask: Ask): Promise<void> {
  for (const grant of model.grants) {
    const { status, body } = await ask("/v1/connections", { token: grant.token });
    const refused = status === 403 && body.includes('"grant_revoked"');
    if (grant.revoked === undefined && (refused || status === 200)) grant.revoked = refused;
    else if (grant.revoked ? !refused : status !== 200) {
      throw new Error(
        `the ${grant.revoked ? "revoked" : "valid"} grant ${grant.id} gets the response ${status}: ${body}`,
      );
    }
  }
}

async function checkState(model: Model, ask: Ask): Promise<void> {
  const { state } = await read<{ state: Record<string, { page: number }> }>(ask, `/v1/state/${CONNECTOR}`);
  const found = state[STREAM]?.page ?? 0;
  if (!model.states.includes(found)) throw new Error(`the state is ${found}, not one of ${model.states.join(", ")}`);
  model.states = [found];
}

async function checkBlobs(model: Model, pictures: (url: string) => Promise<Uint8Array>): Promise<void> {
  const shown = new Set([...model.items.values()].map((item) => item.picture?.blob_id));
  for (const [blobId, digest] of model.blobs) {
    // A blob must not be readable once no record refers to it.
    if (!shown.has(blobId)) continue;
    const found = createHash("sha256")
      .update(await pictures(`/v1/blobs/${blobId}`))
      .digest("hex");
    if (found !== digest) throw new Error(`the blob ${blobId} has the digest ${found}, not ${digest}`);
  }
}

/** Checks that the chain is intact and contains every acknowledged read. */
async function checkAudit(model: Model, ask: Ask, checkMissing: CheckMissing): Promise<void> {
  const verdict = await read<{ intact: boolean; reason?: string }>(ask, "/v1/activity/verify");
  if (!verdict.intact) throw new Error(`the audit chain is broken: ${verdict.reason}`);
  const gaps: AuditGap[] = [];
  for (let before = ""; model.reads.size > 0; ) {
    const page = await read<List<Activity>>(ask, `/v1/activity?limit=100${before}`);
    for (const { request_id, may_be_missing: gap } of page.data) {
      model.reads.delete(request_id);
      if (gap !== undefined) gaps.push({ since: Date.parse(gap.since), until: Date.parse(gap.until) });
    }
    if (!page.has_more) break;
    before = `&before=${page.data.at(-1)!.n}`;
  }
  checkMissing(model.reads, gaps);
  model.reads.clear();
}

function sameItems(found: ReadonlyMap<string, Item>, expected: ReadonlyMap<string, Item>, what: string): void {
  const wrong = difference(found, expected);
  if (wrong !== undefined) throw new Error(`${what} is wrong: ${wrong}`);
}

function difference(found: ReadonlyMap<string, Item>, expected: ReadonlyMap<string, Item>): string | undefined {
  for (const [id, item] of expected) {
    const other = found.get(id);
    if (other === undefined) return `${id} is missing`;
    if (JSON.stringify(other) !== JSON.stringify(item))
      return `${id} is ${JSON.stringify(other)}, not ${JSON.stringify(item)}`;
  }
  for (const id of found.keys()) if (!expected.has(id)) return `${id} should not be there`;
  return undefined;
}
