// A consent request and the owner's answer: the client, the offer, the choice.
import { z } from "zod";
import { AUTHORIZATION_DETAILS_MAX, dataAccess } from "./data-access.ts";
import type { GrantWords } from "./grant.ts";
import type { FilterRole, Kind } from "./kinds.ts";
import { NAME_MAX, RECORD_FILTER } from "./limits.ts";
import { type RecordFilter, recordFilter } from "./record-filter.ts";
import { timestamp } from "./timestamp.ts";

const name = z.string().min(1).max(NAME_MAX);

/**
 * How long an approval is valid. `once`: a single token, which the app may use any number of times until it expires.
 */
export const DURATIONS = {
  once: { label: "Once: one sign-in, for at most an hour", seconds: 3600 },
  "1h": { label: "1 hour", seconds: 3600 },
  "1d": { label: "1 day", seconds: 86_400 },
  "30d": { label: "30 days", seconds: 30 * 86_400 },
  forever: { label: "Until I revoke it", seconds: null },
} as const;
export type Duration = keyof typeof DURATIONS;
export const duration = z.enum(Object.keys(DURATIONS) as [Duration, ...Duration[]]);

/** The client as the page showed it; the approval applies to exactly this. */
export const askingClient = z.strictObject({
  client_id: z.string().min(1).max(2000),
  name: z.string().min(1).max(NAME_MAX),
  redirect_uri: z.string().max(4000),
  /** The host that this flow verified; absent if it verified none. */
  verified_host: z.string().min(1).max(300).optional(),
});

export const consentQuery = z.strictObject({
  client: askingClient,
  /** Absent: the app did not say what it wants, so the owner chooses. */
  details: z.array(dataAccess).min(1).max(AUTHORIZATION_DETAILS_MAX).optional(),
});

/** The authorization server's kind for a request that waits for the owner. */
export const CONSENT_REQUEST = "Interaction";
/** The stored id of the request: it can be answered only once, by whichever process. */
export const answeredRequest = z.string().min(1).max(100);

const consentChoice = z.strictObject({
  streams: z
    .array(
      z.strictObject({
        connection_id: name,
        stream: name,
        fields: z.array(name).max(500).optional(),
        record_filter: recordFilter.optional(),
      }),
    )
    .max(5000),
  since: timestamp.optional(),
  until: timestamp.optional(),
  duration,
  ai_training: z.boolean(),
});

export const consentApproval = consentQuery.extend({
  request: answeredRequest,
  /** The digest of the offer as it was shown. */
  digest: z.string().max(100),
  choice: consentChoice,
});

/** A choice to be described in words before it is approved. */
export const consentPreview = consentQuery.extend({ choice: consentChoice });

/** The values that a page offers to limit a stream by. */
export const filterValuesQuery = z.strictObject({
  connection_id: name,
  stream: name,
  limit: z.int().min(1).max(RECORD_FILTER.values),
});
export type FilterValuesQuery = z.infer<typeof filterValuesQuery>;

export interface FilterValuesRead {
  /** The first field of the stream that has values; absent: no field has any. */
  field?: string;
  role?: FilterRole;
  /** Most common first. */
  values: { value: string; count: number }[];
  /** Records with values that are not listed. */
  other_records: number;
}

export type ConsentQuery = z.infer<typeof consentQuery>;
export type ConsentApproval = z.infer<typeof consentApproval>;
export type ConsentChoice = ConsentApproval["choice"];

/** A stream of a connection that may be granted. */
export interface OfferedStream {
  connection_id: string;
  connection_label: string;
  connector_key: string;
  source_label: string;
  stream: string;
  label: string;
  detail?: string;
  kind?: Kind;
  /** The offered fields that have each role. */
  roles?: Record<string, string[]>;
  /** The app says that it cannot work without this stream; if several connections have it, one of them is enough. */
  required: boolean;
  /** Only required items without an alternative are preselected. */
  preselected: boolean;
  fields: { name: string; title?: string; description?: string; always: boolean }[];
  /** Sets of fields to choose from with one click, no two of them equal; the first is all of them. */
  presets: { id: string; label: string; fields: string[] }[];
  time_field?: string;
  /** Range operators that filters on the time support. */
  time_ranges?: readonly string[];
  /** The bounds the app asks for; since inclusive, until exclusive. */
  since?: string;
  until?: string;
  /** The fields that the owner can limit it by, best first. Empty if the app requests its own filter. */
  filters: { field: string; role: FilterRole }[];
  /** The filter that the app asks for. */
  record_filter?: RecordFilter;
  /** How many single records the app asks for, if not all. */
  resources?: number;
}

/** Members that every offer has, on either lens. */
export interface OfferTerms {
  digest: string;
  /** Requested items that do not exist here. */
  problems: string[];
  /** True: something required does not exist here, so nothing can be granted. */
  blocked: boolean;
  purposes: { code: string; description?: string; ai_training: boolean }[];
  claims: { label: string; text: string }[];
  retention: string[];
  durations: Duration[];
}

export interface ConsentOffer extends OfferTerms {
  streams: OfferedStream[];
  /** Everything that the app asks for, in words; empty when it left the choice to the owner. */
  asks: GrantWords["reads"];
}
