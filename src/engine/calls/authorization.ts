// Engine calls for the authorization server: its data between requests, tokens, and grants that apps revoke.
import * as auth from "../../contract/auth.ts";
import * as requests from "../../contract/write.ts";
import { countAttempt } from "../authority/attempts.ts";
import { roomForClient } from "../authority/clients.ts";
import { endGrant, grantedDetails, grantInfo, issueToken, tokenInfo } from "../authority/tokens.ts";
import { ownerWrite, systemRead, systemWrite } from "./define.ts";

export const AUTHORIZATION_CALLS = {
  authItem: systemRead({
    query: auth.authItemRef,
    run: async ({ view }, { kind, hash }) => view.authItem(kind, hash),
  }),
  authItemBy: systemRead({
    query: auth.authItemBy,
    run: async ({ view }, { kind, key, value }) => view.authItemBy(kind, key, value),
  }),
  putAuthItem: systemWrite({
    query: auth.authItemPut,
    async run({ view, now }, item) {
      if (item.kind === "Client") await roomForClient(view, now);
      await view.putAuthItem({ ...item, consumedAt: null });
      return {};
    },
  }),
  consumeAuthItem: systemWrite({
    query: auth.authItemRef,
    run: async ({ view, now }, { kind, hash }) => ({ consumed: await view.consumeAuthItem(kind, hash, now) }),
  }),
  countAttempt: systemWrite({
    query: auth.attempt,
    run: ({ view, caller, now }, query) => countAttempt(view, caller.subjectId, query, now),
  }),
  /** Urgent, because revoking a refresh token deletes the token first and then ends the grant. */
  deleteAuthItem: systemWrite({
    query: auth.authItemRef,
    urgent: true,
    async run({ view }, { kind, hash }) {
      await view.deleteAuthItem(kind, hash);
      return {};
    },
  }),
  keepAuthItem: systemWrite({
    query: auth.authItemRef,
    async run({ view }, { kind, hash }) {
      await view.keepAuthItem(kind, hash);
      return {};
    },
  }),
  /** True if the owner has approved a grant for this app before. */
  clientApproved: systemRead({
    query: auth.clientRef,
    run: async ({ view, caller }, { client_id }) => ({
      approved: (await view.client(client_id))?.subjectId === caller.subjectId,
    }),
  }),
  grantInfo: systemRead({ query: auth.grantRef, run: ({ view, now }, { id }) => grantInfo(view, id, now) }),
  grantedDetails: systemRead({ query: auth.grantRef, run: ({ view, now }, { id }) => grantedDetails(view, id, now) }),
  tokenInfo: systemRead({ query: auth.tokenRef, run: ({ view, now }, { hash }) => tokenInfo(view, hash, now) }),
  issueToken: systemWrite({ query: auth.tokenIssue, run: ({ view, now }, token) => issueToken(view, token, now) }),
  deleteToken: systemWrite({
    query: auth.tokenRef,
    effects: ["endsAccess"],
    async run({ view }, { hash }) {
      await view.deleteToken(hash);
      return {};
    },
  }),
  /** Ends a grant because its app revoked it, or because a code or refresh token was reused. */
  endGrant: ownerWrite({
    query: auth.grantEnd,
    words: "Ended a grant",
    effects: ["endsAccess", "endsEvents", "endsExports"],
    run: ({ view, now }, { id, by }) => endGrant(view, id, by, now),
  }),
  namedClient: systemRead({ query: requests.byId, run: async ({ view }, { id }) => view.client(id) }),
};
