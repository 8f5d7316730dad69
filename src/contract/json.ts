// JSON of which nothing more is known.
import { z } from "zod";

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** It was parsed from JSON text, so only its absence can be wrong. */
export const jsonValue = z.custom<JsonValue>((value) => value !== undefined);
export const jsonObject = z.record(z.string(), jsonValue);
