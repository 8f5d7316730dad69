// The error object, and the response that contains it.
import { z } from "zod";
import { ERRORS, type ErrorCode } from "./errors.ts";
import { count } from "./list.ts";
import { why } from "./why.ts";

const availableConnection = z.strictObject({
  grant_id: z.string().optional(),
  connector_key: z.string(),
  connection_id: z.string(),
  /** Helps people and models choose; no call accepts it. */
  display_name: z.string(),
});

/** Optional error fields besides code and message. */
const errorDetails = z.strictObject({
  param: z.string().optional(),
  retry_with: z.string().optional(),
  available_connections: z.array(availableConnection).optional(),
  available_connections_total: count.optional(),
  available_connections_truncated: z.boolean().optional(),
  why: why.optional(),
  next_step: z.string().optional(),
});

export const errorBody = errorDetails.extend({
  type: z.string(),
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  request_id: z.string().optional(),
  doc_url: z.string().optional(),
});

const types = new Set(Object.values(ERRORS).map((row) => row.type));

/** Over HTTP, every error has a request id, a next step and a link to the docs. */
export const errorAnswer = z.strictObject({
  error: errorBody.required({ request_id: true, next_step: true, doc_url: true }).extend({ type: z.enum([...types]) }),
});

export type AvailableConnection = z.infer<typeof availableConnection>;
export type ErrorDetails = z.infer<typeof errorDetails>;
export type ErrorBody = z.infer<typeof errorBody>;
