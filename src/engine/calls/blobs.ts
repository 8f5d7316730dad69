// Engine calls for blobs: storing, reading (directly or through a signed link), and removing blobs that no record
// refers to.
import type { StoredBlob } from "../../contract/blob.ts";
import { linkRequest, openedLink } from "../../contract/link.ts";
import * as queries from "../../contract/read.ts";
import * as requests from "../../contract/write.ts";
import { readBlob } from "../read/blob.ts";
import { openLink, signLink } from "../read/signed-link.ts";
import {
  awaitRecord,
  forgetUnused,
  knownBlobs,
  putBlobs,
  releaseStrays,
  takeUnused,
  unusedHorizon,
} from "../unused-blobs.ts";
import { requireConnection } from "../write/sources.ts";
import { answer, ownerRead, ownerWrite, read, systemRead, systemWrite } from "./define.ts";

export const BLOB_CALLS = {
  blob: read({
    query: queries.blobQuery,
    route: {
      method: "GET",
      path: "/v1/blobs/{blob_id}",
      summary: "The bytes of a blob that a readable record refers to",
      streams: "blob-download",
    },
    words: "Opened a file",
    run: async (context, query) => ({ ...(await readBlob(context, query)), bytes: 0 }),
  }),
  signLink: read({
    query: linkRequest,
    answer: "SignedLink",
    route: {
      method: "POST",
      path: "/v1/links",
      summary: "A link to one download that works without a token, for up to 15 minutes while the grant is valid",
      body: "merge",
      status: 201,
    },
    words: "Created a download link",
    run: async (context, query) => signLink(context, query, "records"),
  }),
  openLink: systemRead({ query: openedLink, run: openLink }),
  /** Writes the audit entry after a blob's last byte. `blob` wrote the entry before the first byte. */
  blobServed: read({
    query: requests.blobServed,
    words: "File delivered",
    tells: true,
    run: async (context, { bytes, ...query }) => ({ ...(await readBlob(context, query)), bytes }),
  }),
  /** Checks that a running download may continue. It reads nothing new, so only a refusal is logged. */
  blobAllowed: read({
    query: queries.blobQuery,
    run: async (context, query) => ({ ...(await readBlob(context, query)), reads: [] }),
  }),
  putBlob: ownerWrite({
    query: requests.putBlob,
    answer: "Blob",
    route: {
      method: "POST",
      path: "/v1/blobs",
      summary: "Store bytes for a record to refer to",
      schema: requests.blobUpload,
      status: 201,
      streams: "blob-upload",
    },
    words: "Stored a file",
    async run({ view, caller, now }, { generation, ...blob }) {
      await putBlobs(view, [{ ...blob, generation }], now);
      await awaitRecord(view, caller.subjectId, blob.blob_id, now);
      const stored: StoredBlob = { object: "blob", ...blob };
      return stored;
    },
  }),
  /** The attached files that would be deleted with a connection. */
  connectionBlobs: ownerRead({
    query: requests.connectionId,
    lane: "scans",
    run: async ({ view, caller }, query) =>
      answer(await view.ownBlobs(requireConnection(caller, query.connection_id).connectionId)),
  }),
  knownBlobs: systemRead({ query: requests.blobIds, run: ({ view }, { blob_ids }) => knownBlobs(view, blob_ids) }),
  unusedBlobs: systemRead({
    query: requests.nothing,
    run: ({ view, caller }) => unusedHorizon(view, caller.subjectId),
  }),
  takeUnusedBlobs: systemWrite({
    query: requests.nothing,
    run: ({ view, caller, now }) => takeUnused(view, caller.subjectId, now),
  }),
  forgetUnusedBlobs: systemWrite({
    query: requests.objectNames,
    run: ({ view, caller }, { names }) => forgetUnused(view, caller.subjectId, names),
  }),
  releaseStrayBlobs: systemWrite({
    query: requests.objectNames,
    run: ({ view, caller, now }, { names }) => releaseStrays(view, caller.subjectId, names, now),
  }),
};
