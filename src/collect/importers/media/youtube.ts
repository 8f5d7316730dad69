// YouTube history in a Google Takeout, as JSON. The fields are the same in every language, but titles are sentences in
// the account's language.
import type { JsonObject } from "../../../contract/json.ts";
import { isoInstant } from "../iso-instant.ts";
import { objectsIn, textIn } from "../json-fields.ts";
import type { MediaFound } from "./found.ts";

/**
 * "Watched …" in languages where these words come before or after the title. In other languages the whole sentence is
 * kept.
 */
const WATCHED =
  /^(?:Watched |Has visto |Vous avez regardé |Hai guardato |Você assistiu a |Viu |Je hebt gekeken naar |Obejrzano:? |Du såg |Du har sett |Du har set )|\s(?:angesehen|bekeken|を視聴しました|을\(를\) 시청했습니다\.?)$/;

export function youtubeItem(item: JsonObject): MediaFound {
  const url = textIn(item, "titleUrl");
  const sentence = textIn(item, "title");
  const at = isoInstant(textIn(item, "time"));
  if (at === undefined) return { error: "it has no time" };
  const address = url === undefined ? null : URL.parse(url);
  if (address !== null && address.pathname === "/results") return { skip: "a search, not a video" };
  const isVideo = address !== null && (address.pathname === "/watch" || address.pathname.startsWith("/shorts/"));
  // A removed video has neither an address nor a name.
  if (!isVideo && url !== undefined) return { skip: "not a video: a post, a survey or a channel" };
  if (sentence === undefined) return { error: "it has no title" };
  const [by] = objectsIn(item, "subtitles");
  const isMusic = textIn(item, "header") === "YouTube Music" || address?.host === "music.youtube.com";
  return {
    stream: "views",
    parts: ["youtube", at, url ?? sentence],
    fields: {
      service: "youtube",
      kind: isMusic ? "music" : "video",
      title: sentence.replace(WATCHED, ""),
      channel: by === undefined ? undefined : textIn(by, "name"),
      url,
      watched_at: at,
      // The name of the detail is in the account's language, but only advertisements have details.
      is_ad: objectsIn(item, "details").length > 0 ? true : undefined,
    },
  };
}
