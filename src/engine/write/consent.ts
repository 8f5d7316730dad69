// Turns an owner's approval into grants, in the same transaction that checks that the offer has not changed.
import { CONSENT_REQUEST, type ConsentApproval, type ConsentQuery } from "../../contract/consent.ts";
import { UNSTATED_PURPOSE } from "../../contract/data-access.ts";
import { PdppError } from "../../contract/errors.ts";
import type { FileConsentApproval } from "../../contract/file-consent.ts";
import type { Grant } from "../../contract/grant.ts";
import { newId } from "../../contract/ids.ts";
import { GRANT_VERSION } from "../../contract/limits.ts";
import { approve, consentOffer } from "../../core/consent.ts";
import type { ApprovedTerms } from "../../core/consent-terms.ts";
import { approveRoots, fileOffer } from "../../core/file-consent.ts";
import { rootsIn } from "../../core/file-roots.ts";
import { grantWords } from "../../core/grant-words.ts";
import { formatInstant } from "../../core/instant.ts";
import type { StreamShape } from "../../core/scope.ts";
import type { WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import { labelsOf } from "../read/grants.ts";

export interface Approval {
  /** The id of the package or of the single grant. */
  id: string;
  grants: Grant[];
}

export async function approveConsent(
  view: WriteView,
  caller: Caller,
  { request, digest, choice, ...query }: ConsentApproval,
  now: number,
): Promise<Approval> {
  const { streams, sources } = caller.catalog;
  requireShown(digest, consentOffer(query, streams, sources).digest);
  await requireUnanswered(view, request, now);
  return putApproved(view, caller, query.client, approve(query, choice, streams, sources), now);
}

export async function approveFiles(
  view: WriteView,
  caller: Caller,
  { request, digest, choice, ...query }: FileConsentApproval,
  now: number,
): Promise<Approval> {
  const roots = rootsIn(caller.catalog.streams);
  requireShown(digest, fileOffer(query, roots).digest);
  await requireUnanswered(view, request, now);
  return putApproved(view, caller, query.client, approveRoots(query, choice, roots), now);
}

function requireShown(shown: string, now: string): void {
  if (shown === now) return;
  throw new PdppError("stale_handle", "the request has changed since it was shown", {
    param: "digest",
    next_step: "Review the request again in its current form.",
  });
}

/** A second click on Allow, in this process or another, does not create a second grant. */
async function requireUnanswered(view: WriteView, request: string, now: number): Promise<void> {
  if (await view.consumeAuthItem(CONSENT_REQUEST, request, now)) return;
  throw new PdppError("already_exists", "this request has already been answered", {
    param: "request",
    next_step: "Go back to the app and connect again.",
  });
}

/** Used for both lenses. */
interface GrantToBe extends Pick<Grant, "streams" | "files"> {
  shape: StreamShape;
  detail: Partial<Pick<Grant, "purpose_code" | "purpose_description" | "selection_preset" | "retention">> | undefined;
}

async function putApproved(
  view: WriteView,
  caller: Caller,
  client: ConsentQuery["client"],
  approved: ApprovedTerms & { grants: GrantToBe[] },
  now: number,
): Promise<Approval> {
  const { sources } = caller.catalog;
  const expires = approved.seconds === null ? {} : { expires_at: formatInstant(now + approved.seconds * 1000) };
  const toGrant = ({ shape, detail, streams, files }: GrantToBe): Grant => ({
    version: GRANT_VERSION,
    grant_id: newId("grant"),
    issued_at: formatInstant(now),
    subject: { id: caller.subjectId },
    client: { client_id: client.client_id, client_display: { name: client.name } },
    source: shape.source,
    source_declaration: {
      version: sources.find(({ declaration }) => declaration.source.id === shape.source.id)!.declaration
        .declaration_version,
    },
    purpose_code: detail?.purpose_code ?? UNSTATED_PURPOSE,
    ...(detail?.purpose_description === undefined ? {} : { purpose_description: detail.purpose_description }),
    access_mode: approved.accessMode,
    streams,
    ...(files === undefined ? {} : { files }),
    ...(detail?.selection_preset === undefined ? {} : { selection_preset: detail.selection_preset }),
    ...(detail?.retention === undefined ? {} : { retention: detail.retention }),
    ...expires,
  });
  const grants = approved.grants.map(toGrant);
  const packageId = grants.length > 1 ? newId("package") : null;
  await view.putClient(caller.subjectId, client.client_id, client.name, now);
  const labels = labelsOf(caller.catalog);
  const { verified_host } = client;
  for (const grant of grants) {
    const words = { ...grantWords(grant, labels), ...(verified_host === undefined ? {} : { verified_host }) };
    await view.putGrant(caller.subjectId, grant, packageId, words);
  }
  return { id: packageId ?? grants[0]!.grant_id, grants };
}
