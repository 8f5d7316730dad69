// An owner's approval becomes grants, in the transaction that checks that what was shown is still so.
import type { ConsentApproval } from "../../contract/consent.ts";
import { UNSTATED_PURPOSE } from "../../contract/data-access.ts";
import { PdppError } from "../../contract/errors.ts";
import type { Grant } from "../../contract/grant.ts";
import { newId } from "../../contract/ids.ts";
import { GRANT_VERSION } from "../../contract/limits.ts";
import { type ApprovedGrant, approve, consentOffer } from "../../core/consent.ts";
import { formatInstant } from "../../core/instant.ts";
import type { WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";

export interface Approval {
  /** Of the package, or of the one grant. */
  id: string;
  grants: Grant[];
}

export async function approveConsent(
  view: WriteView,
  caller: Caller,
  { digest, choice, ...query }: ConsentApproval,
  now: number,
): Promise<Approval> {
  const { streams, sources } = caller.catalog;
  if (consentOffer(query, streams, sources).digest !== digest) {
    throw new PdppError("stale_handle", "what was shown has changed since", {
      param: "digest",
      next_step: "Look at the request again, as it is now.",
    });
  }
  const approved = approve(query, choice, streams, sources);
  const expires = approved.seconds === null ? {} : { expires_at: formatInstant(now + approved.seconds * 1000) };
  const toGrant = ({ shape, detail, streams: granted }: ApprovedGrant): Grant => ({
    version: GRANT_VERSION,
    grant_id: newId("grant"),
    issued_at: formatInstant(now),
    subject: { id: caller.subjectId },
    client: { client_id: query.client.client_id, client_display: { name: query.client.name } },
    source: shape.source,
    source_declaration: {
      version: sources.find(({ declaration }) => declaration.source.id === shape.source.id)!.declaration
        .declaration_version,
    },
    purpose_code: detail?.purpose_code ?? UNSTATED_PURPOSE,
    ...(detail?.purpose_description === undefined ? {} : { purpose_description: detail.purpose_description }),
    access_mode: approved.accessMode,
    streams: granted,
    ...(detail?.selection_preset === undefined ? {} : { selection_preset: detail.selection_preset }),
    ...(detail?.retention === undefined ? {} : { retention: detail.retention }),
    ...expires,
  });
  const grants = approved.grants.map(toGrant);
  const packageId = grants.length > 1 ? newId("package") : null;
  await view.putClient(caller.subjectId, query.client.client_id, query.client.name, now);
  for (const grant of grants) await view.putGrant(caller.subjectId, grant, packageId);
  return { id: packageId ?? grants[0]!.grant_id, grants };
}
