// A consent request for the files lens and the owner's answer: roots and powers.
import { z } from "zod";
import { answeredRequest, askingClient, duration, type OfferTerms } from "./consent.ts";
import { type FilePower, fileAccess, filePower } from "./file-access.ts";
import { NAME_MAX } from "./limits.ts";

export const fileConsentQuery = z.strictObject({
  client: askingClient,
  /** Absent if the app did not say what it wants; then the owner chooses. */
  detail: fileAccess.optional(),
});

export const fileConsentApproval = fileConsentQuery.extend({
  request: answeredRequest,
  /** The digest of the offer that was shown. */
  digest: z.string().max(100),
  choice: z.strictObject({
    /** The connection_id of each root. */
    roots: z.array(z.string().min(1).max(NAME_MAX)).max(5000),
    may: z.array(filePower).max(100),
    duration,
    ai_training: z.boolean(),
  }),
});

export type FileConsentQuery = z.infer<typeof fileConsentQuery>;
export type FileConsentApproval = z.infer<typeof fileConsentApproval>;
export type FileConsentChoice = FileConsentApproval["choice"];

export interface FileOffer extends OfferTerms {
  roots: {
    connection_id: string;
    path: string;
    /** True if the app requested this root explicitly. */
    requested: boolean;
    preselected: boolean;
  }[];
  /** The powers that can be granted; `navigate` is included for every root. */
  powers: { power: FilePower; preselected: boolean }[];
}
