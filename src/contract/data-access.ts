// PDPP's authorization detail (RFC 9396): what a client requests to read, in the terms of a source declaration.
import { z } from "zod";
import { jsonValue } from "./json.ts";
import { DECLARATION_STREAMS_MAX, NAME_MAX } from "./limits.ts";
import { recordFilter } from "./record-filter.ts";
import { timestamp } from "./timestamp.ts";

export const DATA_ACCESS_TYPE = "https://pdpp.dev/data-access";

/** An app that trains on the data must say so, and the owner agrees to that separately. */
export const AI_TRAINING_PURPOSE = "https://pdpp.dev/purpose/ai_training";
/** The purpose of a request that does not state one. */
export const UNSTATED_PURPOSE = "https://pdpp.dev/purpose/unspecified";

/** A larger request is refused, because a consent screen could not show it anyway. */
export const AUTHORIZATION_DETAILS_BYTES = 32 * 1024;
export const AUTHORIZATION_DETAILS_MAX = 50;

const name = z.string().min(1).max(NAME_MAX);
const uri = z
  .string()
  .max(2000)
  .refine((text) => URL.canParse(text), "must be an absolute URI");

const requestedStream = z
  .strictObject({
    /** `*` means every stream of the source. */
    name,
    necessity: z.enum(["required", "optional"]).optional(),
    instance_ids: z.array(name).min(1).max(200).optional(),
    time_range: z.strictObject({ since: timestamp.optional(), until: timestamp.optional() }).optional(),
    fields: z.array(name).min(1).max(500).optional(),
    view: name.optional(),
    /** Our extension to Core 0.1.0: only records whose field has one of these values. */
    record_filter: recordFilter.optional(),
    resources: z.array(z.string().min(1).max(2048)).min(1).max(1000).optional(),
  })
  .refine(({ fields, view }) => fields === undefined || view === undefined, "specify either fields or view, not both");

export const dataAccess = z
  .strictObject({
    type: z.literal(DATA_ACCESS_TYPE),
    source: z.strictObject({ kind: z.enum(["connector", "provider_native"]), id: uri }),
    purpose_code: uri,
    purpose_description: z.string().max(2000).optional(),
    access_mode: z.enum(["single_use", "continuous"]),
    retention: jsonValue.optional(),
    streams: z.array(requestedStream).min(1).max(DECLARATION_STREAMS_MAX).optional(),
    selection_preset: name.optional(),
    client_claims: z.record(name, z.union([z.string().max(2000), z.number(), z.boolean()])).optional(),
  })
  .refine(({ streams, selection_preset }) => (streams === undefined) !== (selection_preset === undefined), {
    message: "specify exactly one of streams and selection_preset",
  });

/** A preset in a source declaration: a name for a list of streams. */
export const selectionPreset = z.looseObject({
  id: name,
  label: z.string().optional(),
  streams: z.array(requestedStream).min(1).max(DECLARATION_STREAMS_MAX),
});

export type DataAccess = z.infer<typeof dataAccess>;
export type RequestedStream = z.infer<typeof requestedStream>;
