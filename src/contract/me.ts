// The owner's identifiers: the names, addresses and phone numbers by which records refer to the owner.
import { z } from "zod";

const texts = z.array(z.string());

export const identifiers = z.strictObject({ names: texts, addresses: texts, numbers: texts });
export type Identifiers = z.infer<typeof identifiers>;

export const me = z.strictObject({ object: z.literal("me"), ...identifiers.shape });
