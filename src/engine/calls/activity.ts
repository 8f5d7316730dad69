// Engine calls for the audit log: activity, reasons for denials, and verification of the log.
import * as requests from "../../contract/write.ts";
import { readActivity, verificationProgress, verifyActivity } from "../read/activity.ts";
import { readActivityDays } from "../read/activity-days.ts";
import { readWhy } from "../read/why.ts";
import { ownerRead } from "./define.ts";

export const ACTIVITY_CALLS = {
  activity: ownerRead({
    query: requests.activityQuery,
    answer: "ActivityList",
    route: { method: "GET", path: "/v1/activity", summary: "The log: which app read what, and when" },
    words: "Looked at the activity",
    run: readActivity,
  }),
  /** Runs in the scan lane, because it adds up thousands of entries. */
  activityDays: ownerRead({
    query: requests.activityDaysQuery,
    answer: "ActivityDays",
    lane: "scans",
    route: { method: "GET", path: "/v1/activity/days", summary: "Reads per day, by stream" },
    words: "Looked at the activity",
    run: readActivityDays,
  }),
  why: ownerRead({
    query: requests.whyQuery,
    answer: "DenialList",
    route: {
      method: "GET",
      path: "/v1/activity/why",
      summary: "Why a call was denied: the part of the grant that denied it",
    },
    words: "Asked why a call was denied",
    run: readWhy,
  }),
  /** Runs in its own thread, because it reads the whole log. */
  verifyActivity: ownerRead({
    query: requests.nothing,
    answer: "ActivityVerification",
    lane: "audit",
    route: { method: "GET", path: "/v1/activity/verify", summary: "Verify that the audit chain is intact" },
    words: "Verified the log",
    run: verifyActivity,
  }),
  activityVerificationProgress: ownerRead({
    query: requests.nothing,
    answer: "ActivityVerificationProgress",
    lane: "audit",
    passesQueue: true,
    route: {
      method: "GET",
      path: "/v1/activity/verify/progress",
      summary: "Progress of the audit chain verification on this server",
    },
    run: verificationProgress,
  }),
};
