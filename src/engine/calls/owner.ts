// Engine calls for the owner's sign-in: setup, password, sessions, and the secret for pages.
import { createHmac } from "node:crypto";
import * as auth from "../../contract/auth.ts";
import { preferences } from "../../contract/preferences.ts";
import * as requests from "../../contract/write.ts";
import { identifiersOf } from "../../core/identifiers.ts";
import {
  changePassword,
  checkSetupCode,
  enterPassword,
  openSession,
  ownerAccount,
  putSetupCode,
  setOwner,
} from "../authority/owner.ts";
import { endSessions, listSessions } from "../authority/sessions.ts";
import { requireOwner } from "../caller.ts";
import { changeMe, ownHandles, ownIdentifiers } from "../me.ts";
import { setPreferences } from "../preferences.ts";
import * as pageJobs from "../write/page-jobs.ts";
import { answer, ownerRead, ownerWrite, read, systemRead, systemWrite, unlogged } from "./define.ts";

export const OWNER_CALLS = {
  /** Identifies and admits the caller before a request body is read. Nothing is read, so nothing is logged. */
  admit: read({
    query: requests.admission,
    words: "Was admitted",
    async run({ caller }, { owner }) {
      if (owner) requireOwner(caller);
      return unlogged(caller.scope.bearer);
    },
  }),
  /** Checks that this server is ready for requests. */
  ready: systemRead({
    query: requests.nothing,
    async run({ view }) {
      await view.usable();
      return {};
    },
  }),
  /** Checks that writes succeed: an item is stored and removed again in one commit. */
  probeWrite: systemWrite({
    query: requests.nothing,
    async run({ view, now }) {
      const subject = await view.subject();
      await view.putItem(subject, { kind: "probe", id: "write", holder: null, createdAt: now, dueAt: null, body: {} });
      await view.deleteItem(subject, "probe", "write");
      return {};
    },
  }),
  openSession: ownerWrite({
    query: auth.sessionOpen,
    words: "Signed in",
    run: openSession,
  }),
  enterPassword: ownerWrite({
    query: auth.passwordEntered,
    words: "Entered the password again",
    run: enterPassword,
  }),
  /**
   * Refused unless the password was entered recently. For actions that are not engine calls: backups, and roots of the
   * files lens.
   */
  recentPassword: systemRead({ query: requests.nothing, lastingAccess: true, run: async () => ({}) }),
  closeSession: ownerWrite({
    query: auth.tokenRef,
    words: "Signed out",
    effects: ["endsAccess"],
    async run({ view }, { hash }) {
      await view.deleteToken(hash);
      return {};
    },
  }),
  sessions: ownerRead({
    query: requests.nothing,
    words: "Listed sessions",
    run: async ({ view, caller, now }) => answer(await listSessions(view, caller, now)),
  }),
  endSessions: ownerWrite({
    query: auth.sessionEnd,
    words: "Ended sessions",
    effects: ["endsAccess"],
    run: ({ view, caller }, query) => endSessions(view, caller, query),
  }),
  changePassword: ownerWrite({
    query: auth.passwordChange,
    words: "Changed the password",
    effects: ["endsAccess"],
    run: ({ view, caller, now }, query) => changePassword(view, caller, query, now),
  }),
  setOwner: ownerWrite({
    query: auth.ownerSetup,
    words: "Set up the owner",
    effects: ["endsAccess"],
    run: ({ view, caller, now }, query) => setOwner(view, caller, query, now),
  }),
  putSetupCode: ownerWrite({
    query: auth.setupCode,
    words: "Created a setup link",
    run: ({ view, caller, now }, { code }) => putSetupCode(view, caller.subjectId, code, now),
  }),
  checkSetupCode: systemRead({
    query: auth.setupCode,
    run: ({ view, now }, { code }) => checkSetupCode(view, code, now),
  }),
  me: ownerRead({
    query: requests.nothing,
    answer: "Me",
    route: { method: "GET", path: "/v1/me", summary: "Names, addresses and numbers that belong to the owner" },
    words: "Read the owner's identifiers",
    run: async ({ view, caller }) => answer({ object: "me", ...identifiersOf(await ownIdentifiers(view, caller)) }),
  }),
  /** For pages, which show "You" for a handle of the owner. */
  ownHandles: ownerRead({
    query: requests.nothing,
    words: "Read the owner's handles",
    run: async ({ view, caller }) => answer(await ownHandles(view, caller)),
  }),
  changeMe: ownerWrite({
    query: requests.meChange,
    answer: "Me",
    route: {
      method: "PATCH",
      path: "/v1/me",
      summary: "Add or remove names, addresses and numbers that belong to the owner",
      body: "merge",
    },
    words: "Changed the owner's identifiers",
    run: ({ view, caller, now }, query) => changeMe(view, caller, query, now),
  }),
  setPreferences: ownerWrite({
    query: preferences,
    words: "Changed the page preferences",
    run: setPreferences,
  }),
  ownerAccount: systemRead({
    query: requests.nothing,
    run: ({ view, caller }) => ownerAccount(view, caller.subjectId),
  }),
  /** The key that signs the cookies and forms of pages. */
  webSecret: systemRead({
    query: requests.nothing,
    run: async ({ key }) => ({ secret: createHmac("sha256", key).update("web").digest("base64url") }),
  }),
  pageJob: systemRead({
    query: pageJobs.pageJobName,
    run: ({ view, caller }, { name }) => pageJobs.keptPageJob(view, caller.subjectId, name),
  }),
  keepPageJob: systemWrite({
    query: pageJobs.pageJobKept,
    run: ({ view, caller, now }, query) => pageJobs.keepPageJob(view, caller.subjectId, query, now),
  }),
};
