// Engine calls that let the owner decide what apps may read: consent, grants and owner tokens.
import * as consent from "../../contract/consent.ts";
import { fileConsentApproval, fileConsentQuery } from "../../contract/file-consent.ts";
import { grantEdit, grantRequest } from "../../contract/grant-request.ts";
import * as queries from "../../contract/read.ts";
import * as requests from "../../contract/write.ts";
import { approve, consentOffer } from "../../core/consent.ts";
import { fileOffer } from "../../core/file-consent.ts";
import { rootsIn } from "../../core/file-roots.ts";
import { grantedReads } from "../../core/grant-words.ts";
import { listAnswer } from "../read/context.ts";
import { readFilterValues } from "../read/filter-values.ts";
import { labelsOf, readGrant, readGrants } from "../read/grants.ts";
import { readRecords } from "../read/records.ts";
import { approveConsent, approveFiles } from "../write/consent.ts";
import { editGrant, pauseGrant, restoreGrant, resumeGrant } from "../write/grant-changes.ts";
import { issueGrant, revokeGrants } from "../write/grants.ts";
import { issueOwnerToken, listOwnerTokens, revokeOwnerTokens } from "../write/owner-tokens.ts";
import { ownerRead, ownerWrite, unlogged } from "./define.ts";

export const GRANT_CALLS = {
  grants: ownerRead({
    query: requests.grantsQuery,
    answer: "GrantList",
    route: {
      method: "GET",
      path: "/v1/grants",
      summary: "Grants in plain words, with their state and what was read under each",
    },
    words: "Listed grants",
    run: readGrants,
  }),
  issueGrant: ownerWrite({
    query: grantRequest,
    answer: "IssuedGrant",
    route: {
      method: "POST",
      path: "/v1/grants",
      summary: "Issue a grant, or a package of them, and its token",
      body: "merge",
      status: 201,
    },
    words: "Issued a grant",
    lastingAccess: true,
    run: ({ view, caller, now }, request) => issueGrant(view, caller, request, now),
  }),
  grant: ownerRead({
    query: requests.byId,
    answer: "GrantOrPackage",
    route: { method: "GET", path: "/v1/grants/{id}", summary: "One grant or package" },
    words: "Looked at a grant",
    run: readGrant,
  }),
  revokeGrant: ownerWrite({
    query: requests.byId,
    answer: "Revocation",
    route: { method: "POST", path: "/v1/grants/{id}/revoke", summary: "Revoke a grant or a package, at once" },
    words: "Revoked a grant",
    effects: ["endsAccess", "endsEvents", "endsExports"],
    run: ({ view, caller, now }, query) => revokeGrants(view, caller, query, now),
  }),
  editGrant: ownerWrite({
    query: grantEdit,
    answer: "GrantChange",
    route: {
      method: "PATCH",
      path: "/v1/grants/{id}",
      summary: "Narrow or extend a grant or a package, or change when it ends",
      body: "merge",
    },
    words: "Changed a grant",
    effects: ["endsAccess", "endsEvents", "endsExports"],
    // Only a comparison with the grant shows whether the edit extends it. If it does, `run` requires the password.
    run: ({ view, caller, now }, query) => editGrant(view, caller, query, now),
  }),
  pauseGrant: ownerWrite({
    query: requests.byId,
    answer: "GrantChange",
    route: { method: "POST", path: "/v1/grants/{id}/pause", summary: "Pause a grant or a package, at once" },
    words: "Paused a grant",
    effects: ["endsAccess", "endsEvents", "endsExports"],
    run: ({ view, caller, now }, query) => pauseGrant(view, caller, query, now),
  }),
  resumeGrant: ownerWrite({
    query: requests.byId,
    answer: "GrantChange",
    route: { method: "POST", path: "/v1/grants/{id}/resume", summary: "Resume a paused grant or package" },
    words: "Resumed a grant",
    lastingAccess: true,
    run: ({ view, caller, now }, query) => resumeGrant(view, caller, query, now),
  }),
  restoreGrant: ownerWrite({
    query: requests.byId,
    answer: "GrantChange",
    route: {
      method: "POST",
      path: "/v1/grants/{id}/restore",
      summary: "Undo the owner's revocation, within a minute",
    },
    words: "Undid a revocation",
    run: ({ view, caller, now }, query) => restoreGrant(view, caller, query, now),
  }),
  consentOffer: ownerRead({
    query: consent.consentQuery,
    run: async ({ caller }, query) => unlogged(consentOffer(query, caller.catalog.streams, caller.catalog.sources)),
  }),
  /** Describes what a choice would allow before it is approved (V-08). */
  consentPreview: ownerRead({
    query: consent.consentPreview,
    run: async ({ caller: { catalog } }, { choice, ...query }) => {
      const { grants } = approve(query, choice, catalog.streams, catalog.sources);
      const labels = labelsOf(catalog);
      return unlogged({ reads: grants.flatMap(({ streams }) => grantedReads(streams, labels)) });
    },
  }),
  /** The samples on a consent page. No app reads them, and two log entries per stream would bury the reads by apps. */
  consentRecords: ownerRead({
    query: queries.recordsQuery,
    answer: "RecordList",
    run: async (context, query) => ({ ...(await readRecords(context, query)), reads: [] }),
  }),
  /** The chats, folders or categories that a stream can be limited to (V-08). */
  filterValues: ownerRead({
    query: consent.filterValuesQuery,
    lane: "scans",
    run: async (context, query) => unlogged(await readFilterValues(context, query)),
  }),
  approveConsent: ownerWrite({
    query: consent.consentApproval,
    words: "Allowed an app",
    lastingAccess: true,
    run: ({ view, caller, now }, query) => approveConsent(view, caller, query, now),
  }),
  fileOffer: ownerRead({
    query: fileConsentQuery,
    run: async ({ caller }, query) => unlogged(fileOffer(query, rootsIn(caller.catalog.streams))),
  }),
  approveFiles: ownerWrite({
    query: fileConsentApproval,
    words: "Let an app browse files",
    lastingAccess: true,
    run: ({ view, caller, now }, query) => approveFiles(view, caller, query, now),
  }),
  ownerTokens: ownerRead({
    query: requests.nothing,
    answer: "OwnerTokenList",
    route: { method: "GET", path: "/v1/owner-tokens", summary: "Owner tokens by id" },
    words: "Listed owner tokens",
    run: async ({ view, caller, now }) => listAnswer("/v1/owner-tokens", await listOwnerTokens(view, caller, now)),
  }),
  issueOwnerToken: ownerWrite({
    query: requests.ownerToken,
    words: "Issued an owner token",
    lastingAccess: true,
    run: ({ view, caller, now }, query) => issueOwnerToken(view, caller, query, now),
  }),
  revokeOwnerToken: ownerWrite({
    query: requests.byId,
    answer: "Revocation",
    route: { method: "DELETE", path: "/v1/owner-tokens/{id}", summary: "Revoke an owner token, or all of them" },
    words: "Revoked an owner token",
    effects: ["endsAccess"],
    run: ({ view, caller, now }, query) => revokeOwnerTokens(view, caller, query, now),
  }),
};
