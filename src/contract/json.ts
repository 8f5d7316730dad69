// JSON values of unknown shape.
import { z } from "zod";

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Values were parsed from JSON text, so the only possible error is that a value is missing. */
export const jsonValue = z.custom<JsonValue>((value) => value !== undefined);
export const jsonObject = z.record(z.string(), jsonValue);
