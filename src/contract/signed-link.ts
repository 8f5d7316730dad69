// A signed link: the address of one download that works without a token.
import { z } from "zod";
import { timestamp } from "./timestamp.ts";

export const signedLink = z.strictObject({ object: z.literal("signed_link"), url: z.string(), expires_at: timestamp });

export type SignedLink = z.infer<typeof signedLink>;
