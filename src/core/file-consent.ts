// Consent for the files lens: which roots and powers to offer for a request, and which grants the owner's choice
// creates.
import { hash } from "node:crypto";
import { FILE_POWERS, type FileAccess, type FilePower } from "../contract/file-access.ts";
import type { FileConsentChoice, FileConsentQuery, FileOffer } from "../contract/file-consent.ts";
import type { GrantedStream } from "../contract/grant.ts";
import { type ApprovedTerms, approvedTerms, durationsOf, purposesOf, quoted, refused } from "./consent-terms.ts";
import { allPowers, rootsNamed } from "./file-roots.ts";
import type { StreamShape } from "./scope.ts";

/** A grant to create: a root, and what the app may do there. */
export interface ApprovedRoot {
  shape: StreamShape;
  detail: FileAccess | undefined;
  streams: GrantedStream[];
  files: { may: FilePower[] };
}

export function fileOffer({ client, detail }: FileConsentQuery, roots: readonly StreamShape[]): FileOffer {
  const details = detail === undefined ? [] : [detail];
  const offered = offeredRoots(detail, roots);
  const named = detail?.roots ?? [];
  const missing = named.filter((name) => rootsNamed(roots, name).length === 0);
  const shown = {
    roots: offered.map(({ connectionId, displayName }) => ({
      connection_id: connectionId,
      path: displayName,
      requested: detail !== undefined,
      // Preselects the requested roots, or the only root if the app requested none in particular.
      preselected: detail !== undefined && (detail.roots !== undefined || offered.length === 1),
    })),
    powers: powersAsked(detail).map((power) => ({
      power,
      // Content that an app has read cannot be withdrawn, so the owner has to select this power explicitly.
      preselected: power === "navigate" || (detail !== undefined && power !== "download"),
    })),
    problems: missing.map((name) => `There is no root ${quoted(name)} here.`),
    blocked: named.length > 0 && offered.length === 0,
    purposes: purposesOf(details),
    claims: [],
    retention: [],
    durations: durationsOf(details),
  };
  const digest = hash("sha256", JSON.stringify(["files", client, detail ?? null, shown]), "base64url");
  return { digest, ...shown };
}

const powersAsked = (detail: FileAccess | undefined): FilePower[] => allPowers(detail?.may ?? FILE_POWERS);

function offeredRoots(detail: FileAccess | undefined, roots: readonly StreamShape[]): readonly StreamShape[] {
  if (detail?.roots === undefined) return roots;
  return [...new Set(detail.roots.flatMap((name) => rootsNamed(roots, name)))];
}

/** Checks the owner's choice against the request: only offered items can be chosen. */
export function approveRoots(
  { detail }: FileConsentQuery,
  choice: FileConsentChoice,
  roots: readonly StreamShape[],
): ApprovedTerms & { grants: ApprovedRoot[] } {
  const offered = offeredRoots(detail, roots);
  if (choice.roots.length === 0) throw refused("no folder is chosen; choose at least one, or deny", "roots");
  if (new Set(choice.roots).size < choice.roots.length) throw refused("a folder is chosen twice", "roots");
  const unknown = choice.roots.find((id) => !offered.some(({ connectionId }) => connectionId === id));
  if (unknown !== undefined)
    throw refused(`${quoted(unknown)} was not requested, so it cannot be granted here`, "roots");
  const beyond = choice.may.find((power) => !powersAsked(detail).includes(power));
  if (beyond !== undefined) throw refused(`${beyond} was not requested`, "may");
  const details = detail === undefined ? [] : [detail];
  return {
    ...approvedTerms(details, details, choice),
    grants: offered
      .filter(({ connectionId }) => choice.roots.includes(connectionId))
      .map((shape) => ({ shape, detail, streams: [wholeRoot(shape)], files: { may: allPowers(choice.may) } })),
  };
}

/** A root is granted as a whole, because the files lens has no fields to leave out. */
export const wholeRoot = ({ name, connectionId, fields }: StreamShape): GrantedStream => ({
  name,
  instance_ids: [connectionId],
  fields: [...fields.keys()],
});
