// A consent request and the owner's answer: the client, the offer and the choice.
import { z } from "zod";
import { AUTHORIZATION_DETAILS_MAX, dataAccess } from "./data-access.ts";
import type { GrantWords } from "./grant.ts";
import type { FilterRole, Kind } from "./kinds.ts";
import { NAME_MAX, RECORD_FILTER } from "./limits.ts";
import { type RecordFilter, recordFilter } from "./record-filter.ts";
import { timestamp } from "./timestamp.ts";

const name = z.string().min(1).max(NAME_MAX);

/**
 * How long an approval is valid. `once` allows a single token, which the app can use any number of times until it
 * expires.
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

/** The client as the consent page showed it. The approval applies to exactly this client. */
export const askingClient = z.strictObject({
  client_id: z.string().min(1).max(2000),
  name: z.string().min(1).max(NAME_MAX),
  redirect_uri: z.string().max(4000),
  /** The host that this flow verified; absent if it did not verify one. */
  verified_host: z.string().min(1).max(300).optional(),
});

export const consentQuery = z.strictObject({
  client: askingClient,
  /** Absent if the app did not say what it wants; then the owner chooses. */
  details: z.array(dataAccess).min(1).max(AUTHORIZATION_DETAILS_MAX).optional(),
});

/** The authorization server's name for the kind of request that waits for the owner. */
export const CONSENT_REQUEST = "Interaction";
/** The stored id of the request. It can be answered only once, no matter by which process. */
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
  /** The digest of the offer that was shown. */
  digest: z.string().max(100),
  choice: consentChoice,
});

/** A choice to describe in words before it is approved. */
export const consentPreview = consentQuery.extend({ choice: consentChoice });

/** Requests the values that a page offers for limiting a stream. */
export const filterValuesQuery = z.strictObject({
  connection_id: name,
  stream: name,
  limit: z.int().min(1).max(RECORD_FILTER.values),
});
export type FilterValuesQuery = z.infer<typeof filterValuesQuery>;

export interface FilterValuesRead {
  /** The first field of the stream that has values; absent if no field has any. */
  field?: string;
  role?: FilterRole;
  /** Most common first. */
  values: { value: string; count: number }[];
  /** How many records have values that are not listed. */
  other_records: number;
}

export type ConsentQuery = z.infer<typeof consentQuery>;
export type ConsentApproval = z.infer<typeof consentApproval>;
export type ConsentChoice = ConsentApproval["choice"];

/** A stream of a connection that can be granted. */
export interface OfferedStream {
  connection_id: string;
  connection_label: string;
  connector_key: string;
  source_label: string;
  stream: string;
  label: string;
  detail?: string;
  kind?: Kind;
  /** The offered fields for each role. */
  roles?: Record<string, string[]>;
  /**
   * True if the app says that it cannot work without this stream. If several connections have the stream, one of them
   * is enough.
   */
  required: boolean;
  /** True only for required streams without an alternative. */
  preselected: boolean;
  fields: { name: string; title?: string; description?: string; always: boolean }[];
  /** Sets of fields to choose with one click. No two are equal, and the first contains all fields. */
  presets: { id: string; label: string; fields: string[] }[];
  time_field?: string;
  /** Range operators that filters on the time field support. */
  time_ranges?: readonly string[];
  /** The bounds that the app requests: `since` is inclusive, `until` is exclusive. */
  since?: string;
  until?: string;
  /** The fields by which the owner can limit the stream, best first. Empty if the app requests its own filter. */
  filters: { field: string; role: FilterRole }[];
  /** The filter that the app requests. */
  record_filter?: RecordFilter;
  /** How many single records the app requests, if it does not request all. */
  resources?: number;
}

/** Fields that every offer has, on either lens. */
export interface OfferTerms {
  digest: string;
  /** Requested items that do not exist here. */
  problems: string[];
  /** True if something required does not exist here, so that nothing can be granted. */
  blocked: boolean;
  purposes: { code: string; description?: string; ai_training: boolean }[];
  claims: { label: string; text: string }[];
  retention: string[];
  durations: Duration[];
}

export interface ConsentOffer extends OfferTerms {
  streams: OfferedStream[];
  /** Everything that the app requests, in words; empty if it left the choice to the owner. */
  asks: GrantWords["reads"];
}
