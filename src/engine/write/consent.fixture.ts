// A request for consent that waits for the owner, as the authorization server keeps it.
export const waitingRequest = (hash: string) => ({
  kind: "Interaction",
  hash,
  body: "{}",
  grantId: null,
  uid: null,
  userCode: null,
  expiresAt: Date.now() + 3_600_000,
});
