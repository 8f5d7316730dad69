// Engine calls for recognising text in attached files: settings, progress, and the job's own calls.
import * as requests from "../../contract/recognition-request.ts";
import { nothing } from "../../contract/write.ts";
import * as attached from "../attached-files.ts";
import { ownerRead, ownerWrite, systemRead, systemWrite, unlogged } from "./define.ts";

export const RECOGNITION_CALLS = {
  /** Polled during recognition, so it is not logged. */
  recognition: ownerRead({
    query: nothing,
    answer: "Recognition",
    route: {
      method: "GET",
      path: "/v1/recognition",
      summary: "Text recognition in imported scans, screenshots and PDFs: its progress, and whether it is paused",
    },
    complete: (services, state) => services.recognition.withInstalled(state),
    run: async ({ view, caller }) => unlogged(await attached.readRecognition(view, caller)),
  }),
  putRecognition: ownerWrite({
    query: requests.recognitionPut,
    answer: "Recognition",
    route: {
      method: "PUT",
      path: "/v1/recognition",
      summary: "Pause or resume text recognition in imported files, and include or exclude photos",
      body: "merge",
    },
    words: "Changed the text recognition settings",
    effects: ["wakesRecognition"],
    complete: (services, state) => services.recognition.withInstalled(state),
    run: ({ view, caller, now }, query) => attached.putRecognition(view, caller, query, now),
  }),
  nextAttached: systemRead({
    query: requests.attachedNext,
    run: ({ view, caller }, query) => attached.nextAttached(view, caller, query),
  }),
  keepAttached: systemWrite({
    query: requests.attachedKept,
    run: ({ view, caller, now }, query) => attached.keepAttached(view, caller, query, now),
  }),
  openAttachedText: systemWrite({
    query: requests.attachedPlace,
    run: ({ view, caller, now }, query) => attached.openAttachedText(view, caller, query, now),
  }),
};
