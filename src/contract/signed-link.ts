// A signed link: the URL of a single download that works without a token.
import { z } from "zod";
import { timestamp } from "./timestamp.ts";

export const signedLink = z.strictObject({ object: z.literal("signed_link"), url: z.string(), expires_at: timestamp });

export type SignedLink = z.infer<typeof signedLink>;
