// One consent request, for either lens: whether it can be granted, how it is shown, and what an approval creates.
import type { ConsentQuery, Duration } from "../../contract/consent.ts";
import { PdppError } from "../../contract/errors.ts";
import type { GrantWords } from "../../contract/grant.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { ConsentForm, ConsentRequester } from "./consent-view-of.ts";
import type { ConsentAnswer, ConsentView } from "./pages/consent-view.ts";
import type { SignedIn } from "./visitor.ts";

export interface ConsentCase {
  /** True if something that the app requires does not exist here. */
  blocked: boolean;
  view(shown: ConsentForm): Promise<ConsentView>;
  /** Describes what an answer allows. Absent if the page already does so. */
  words?(answer: ConsentAnswer): Promise<GrantWords["reads"]>;
  /**
   * Returns the id of the grant or the package. A missing answer throws `invalid_request` with a message for the owner.
   */
  approve(answer: ConsentAnswer): Promise<string>;
}

/** Everything that a consent case needs. */
export interface CaseParts {
  host: EngineHost;
  owner: SignedIn;
  asked: ConsentRequester;
  /** The stored hash of the request. */
  request: string;
  client: ConsentQuery["client"];
  /** As received, and checked by the authorization server. */
  details: unknown[] | undefined;
}

export const unclear = (message: string): PdppError => new PdppError("invalid_request", message);

export function durationIn({ duration }: ConsentAnswer): Duration {
  if (duration === undefined) throw unclear("choose for how long");
  return duration;
}
