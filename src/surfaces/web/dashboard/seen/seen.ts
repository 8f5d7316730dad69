// /dashboard/apps/{client_id}/seen: every request of an app in words, grouped into bursts, with the records it returned
// (V-06).
import { PdppError } from "../../../../contract/errors.ts";
import { ownerPage } from "../../owner-page.ts";
import type { ReadWords } from "../../pages/receipt.ts";
import { APPS, appNames, grantsOf, isValid } from "../app-grants.ts";
import { ownNames } from "../explore/stream-kind.ts";
import { wholeNumber } from "../words.ts";
import { burstsOf, type SeenBurst } from "./bursts.ts";
import { type GotRecords, recordsGot } from "./records.ts";
import { seenRequests } from "./requests.ts";
import { showSeen } from "./seen-view.ts";

/** The number of log entries per page. */
const LINES = 60;
/** The number of records shown for each request. The request's own page shows the rest. */
const RECORDS = 5;

export interface SeenView {
  clientId: string;
  name: string;
  /** The app's current access. */
  reads: readonly ReadWords[];
  bursts: readonly SeenBurst[];
  /** By request id. */
  got: Readonly<Record<string, GotRecords>>;
  /** The next page starts before this entry. */
  nextBefore?: number;
  me: readonly string[];
}

export const seenPage = ownerPage<SeenView>({
  path: `${APPS}/{client_id}/seen`,
  under: "apps",
  async load(visit) {
    const clientId = visit.params.client_id!;
    const before = wholeNumber(visit.search.get("before")) || undefined;
    const grants = await grantsOf(visit);
    const own = grants.filter(({ grant }) => grant.client.client_id === clientId);
    if (own.length === 0) {
      throw new PdppError("not_found", `no app ${JSON.stringify(clientId)} was ever connected`, {
        next_step: "The Apps page lists every app that was ever connected.",
      });
    }
    const [list, me] = await Promise.all([
      visit.look("activity", { client_id: clientId, limit: LINES, ...(before === undefined ? {} : { before }) }),
      ownNames(visit),
    ]);
    const requests = await seenRequests(visit, list.data);
    return {
      clientId,
      name: appNames(grants).get(clientId)!,
      reads: own.filter(isValid).flatMap(({ words }) => words.reads),
      bursts: burstsOf(requests),
      got: await recordsGot(visit, requests, RECORDS),
      ...(list.meta.next_before === undefined ? {} : { nextBefore: list.meta.next_before }),
      me,
    };
  },
  show: showSeen,
});
