// The calls that create access which outlives the owner's session. In a session they need a recent password (G-04);
// whatever revokes or narrows access is never asked.
import type { MethodName, QueryOf } from "./methods.ts";

const always = (): boolean => true;

/** Each says of its query whether it creates such access. */
export const LASTING_ACCESS: { readonly [M in MethodName]?: (query: QueryOf<M>) => boolean } = {
  issueGrant: always,
  approveConsent: always,
  approveFiles: always,
  issueOwnerToken: always,
  // Where a connector sends the secrets that are stored for it, and the secrets themselves. Forgetting one is not asked.
  putSettings: ({ settings = {}, secrets = {} }) =>
    Object.keys(settings).length > 0 || Object.values(secrets).some((secret) => secret !== null),
  answerCollect: ({ remember }) => remember === true,
  // Where events are sent, and what they are signed with. Pausing is not asked.
  allowEventHost: always,
  createSubscription: always,
  changeSubscription: ({ url, streams, status }) => url !== undefined || streams !== undefined || status === "active",
  rotateSubscriptionSecret: always,
  // A folder of this machine becomes readable as records.
  watchFolder: always,
  // For actions that are not calls of the engine: backups, directories of the files lens.
  recentPassword: always,
};

/** Whether a call with this query needs a recent password, if it comes from a session. */
export function createsLastingAccess(method: MethodName, query: unknown): boolean {
  const asks = LASTING_ACCESS[method] as ((query: unknown) => boolean) | undefined;
  return asks?.(query) ?? false;
}
