// Terms of every consent request: purpose, duration, and what the owner must agree to separately.
import { DURATIONS, type Duration, type OfferTerms } from "../contract/consent.ts";
import { AI_TRAINING_PURPOSE, UNSTATED_PURPOSE } from "../contract/data-access.ts";
import { PdppError } from "../contract/errors.ts";
import { cleanDisplayName } from "./display-name.ts";

/** The terms in a detail for either lens. */
interface Terms {
  purpose_code?: string;
  purpose_description?: string;
  access_mode: "single_use" | "continuous";
}

export interface ApprovedTerms {
  accessMode: Terms["access_mode"];
  seconds: number | null;
}

export const purposesOf = (details: readonly Terms[]): OfferTerms["purposes"] =>
  details.map(({ purpose_code = UNSTATED_PURPOSE, purpose_description }) => ({
    code: purpose_code,
    ...(purpose_description === undefined ? {} : { description: purpose_description }),
    ai_training: purpose_code === AI_TRAINING_PURPOSE,
  }));

export const durationsOf = (details: readonly Terms[]): Duration[] =>
  details.some((detail) => detail.access_mode === "single_use") ? ["once"] : (Object.keys(DURATIONS) as Duration[]);

/** `used` contains the details for which something was chosen. */
export function approvedTerms(
  details: readonly Terms[],
  used: readonly Terms[],
  choice: { duration: Duration; ai_training: boolean },
): ApprovedTerms {
  if (!durationsOf(details).includes(choice.duration)) {
    throw refused("the app asks for a single use, so you can only allow it once", "duration");
  }
  if (!choice.ai_training && used.some(({ purpose_code }) => purpose_code === AI_TRAINING_PURPOSE)) {
    throw refused("the app wants to train on this data; agree to that separately, or deny", "ai_training");
  }
  return {
    accessMode: choice.duration === "once" ? "single_use" : "continuous",
    seconds: DURATIONS[choice.duration].seconds,
  };
}

/** Quotes the app's words in a sentence of ours, so that they can neither close the quotes nor run on. */
export const quoted = (text: string): string => `“${cleanDisplayName(text, 80)}”`;

export const refused = (message: string, param?: string): PdppError =>
  new PdppError("invalid_request", message, param === undefined ? {} : { param });
