// JSON values of unknown shape.
import { z } from "zod";

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** It was parsed from JSON text, so it can only be wrong by being absent. */
export const jsonValue = z.custom<JsonValue>((value) => value !== undefined);
export const jsonObject = z.record(z.string(), jsonValue);
