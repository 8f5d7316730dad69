// The reason for a denial in plain words. The line of the grant that caused it is in "Technical details".
import type { Denial } from "../../../contract/activity.ts";
import { isDenial } from "../../../contract/errors.ts";
import type { GrantSummary } from "../../../contract/grant.ts";
import { readSentence } from "../../../core/grant-sentence.ts";
import { mayWords } from "../../../core/grant-words.ts";
import { spokenTime } from "../../../core/spoken-time.ts";
import type { Times } from "../times.ts";

export function decidedWords(
  { call, why }: Denial,
  held: readonly GrantSummary[],
  { zone }: Pick<Times, "zone">,
): string {
  if (why === undefined)
    return isDenial(call.outcome)
      ? "This had nothing to do with a grant; the request itself was refused."
      : "This had nothing to do with a grant. The request was invalid, or the server could not process it.";
  const holder = held.find(({ grant }) => grant.grant_id === why.grant_id) ?? held[0];
  const on = (time: string | undefined): string => (time === undefined ? "" : ` on ${spokenTime(time, zone)}`);
  const [, line, member] = /^streams\[(\d*)\](.*)$/.exec(why.decided_by) ?? [];
  switch (why.decided_by) {
    case "revoked_at":
      return `Its access was revoked${on(holder?.revoked_at)}.`;
    case "expires_at":
      return `Its access ended${on(holder?.grant.expires_at)}.`;
    case "paused_at":
      return `You had paused its access${on(holder?.grant.paused_at)}.`;
    case "access_mode":
      return "It was allowed to sign in once, and had already done so.";
    case "token":
      return "Its sign-in had expired. The app has to renew it.";
    case "pdpp_token_kind":
      return "An app can only read. Only you can make this request.";
    case "files.may":
      return `It may not ${why.asked?.power === undefined ? "do that" : mayWords([why.asked.power], "that folder")}.`;
    case "streams":
    case "streams[].instance_ids":
      return "It asked for something that you did not allow it to see.";
  }
  const read = line === undefined || line === "" ? undefined : holder?.words.reads[Number(line)];
  if (read === undefined) return "Its grant no longer exists.";
  const seen = `${readSentence(read, zone)}, from ${read.connection}`;
  if (member === ".fields") return `It asked for a detail that it may not see. It may see: ${seen}.`;
  return `It asked for records outside the part that it may see: ${seen}.`;
}
