// Engine calls for the owner's second factors. Adding or removing one changes how sessions are opened, so both need a
// recent password.
import * as factors from "../../contract/second-factor.ts";
import * as requests from "../../contract/write.ts";
import {
  addAuthenticator,
  addPasskey,
  newRecoveryCodes,
  removeSecondFactor,
  secondFactors,
} from "../authority/second-factor.ts";
import { ownerWrite, systemRead } from "./define.ts";

export const SECOND_FACTOR_CALLS = {
  secondFactors: systemRead({
    query: requests.nothing,
    run: ({ view, caller }) => secondFactors(view, caller.subjectId),
  }),
  addAuthenticator: ownerWrite({
    query: factors.authenticatorAdded,
    words: "Added an authenticator app",
    lastingAccess: true,
    run: addAuthenticator,
  }),
  addPasskey: ownerWrite({
    query: factors.passkeyAdded,
    words: "Added a passkey",
    lastingAccess: true,
    run: addPasskey,
  }),
  removeSecondFactor: ownerWrite({
    query: factors.factorRef,
    words: "Removed a second factor",
    lastingAccess: true,
    run: removeSecondFactor,
  }),
  newRecoveryCodes: ownerWrite({
    query: requests.nothing,
    words: "Created new recovery codes",
    lastingAccess: true,
    run: (context) => newRecoveryCodes(context),
  }),
};
