// A consent request waiting for the owner, as the authorization server stores it.
import { CONSENT_REQUEST } from "../../contract/consent.ts";

export const waitingRequest = (hash: string) => ({
  kind: CONSENT_REQUEST,
  hash,
  body: "{}",
  grantId: null,
  uid: null,
  userCode: null,
  expiresAt: Date.now() + 3_600_000,
});
