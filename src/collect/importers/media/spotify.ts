// Spotify histories: the short one covers a year, to the minute; the extended one covers the whole account.
import type { JsonObject } from "../../../contract/json.ts";
import { isoInstant } from "../iso-instant.ts";
import { countIn, textIn } from "../json-fields.ts";
import type { MediaFound } from "./found.ts";

export function spotifyItem(item: JsonObject): MediaFound {
  if (textIn(item, "ts") !== undefined) return extended(item);
  return textIn(item, "endTime") === undefined ? { error: "it has no time" } : short(item);
}

/** `2023-01-01 12:34`, in UTC. */
const MINUTE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)$/;

function short(item: JsonObject): MediaFound {
  const [, day, minute] = MINUTE.exec(textIn(item, "endTime")!) ?? [];
  const at = isoInstant(day === undefined ? undefined : `${day}T${minute}:00Z`);
  if (at === undefined) return { error: "its time is invalid" };
  const isEpisode = textIn(item, "podcastName") !== undefined;
  const title = textIn(item, isEpisode ? "episodeName" : "trackName");
  const artist = textIn(item, isEpisode ? "podcastName" : "artistName");
  const played = countIn(item, "msPlayed");
  return {
    stream: "listens",
    parts: ["spotify", at, artist ?? "", title ?? "", String(played ?? "")],
    fields: {
      service: "spotify",
      kind: isEpisode ? "episode" : "track",
      title,
      artist,
      ended_at: at,
      seconds: played === undefined ? undefined : played / 1000,
    },
  };
}

function extended(item: JsonObject): MediaFound {
  const at = isoInstant(textIn(item, "ts"));
  if (at === undefined) return { error: "its time is invalid" };
  const track = textIn(item, "master_metadata_track_name");
  const episode = textIn(item, "episode_name");
  const chapter = textIn(item, "audiobook_chapter_title");
  const book = textIn(item, "audiobook_title");
  const uri =
    textIn(item, "spotify_track_uri") ?? textIn(item, "spotify_episode_uri") ?? textIn(item, "audiobook_chapter_uri");
  const title = track ?? episode ?? chapter;
  if (title === undefined && uri === undefined && book === undefined)
    return { skip: "it does not say what was played" };
  const played = countIn(item, "ms_played");
  const flag = (name: string): boolean | undefined => (typeof item[name] === "boolean" ? item[name] : undefined);
  return {
    stream: "listens",
    parts: ["spotify", at, uri ?? title ?? book!, String(played ?? "")],
    fields: {
      service: "spotify",
      kind:
        track !== undefined
          ? "track"
          : episode !== undefined
            ? "episode"
            : book !== undefined
              ? "audiobook"
              : kindOf(uri),
      title,
      artist: textIn(item, "master_metadata_album_artist_name") ?? textIn(item, "episode_show_name") ?? book,
      album: textIn(item, "master_metadata_album_album_name"),
      ended_at: at,
      seconds: played === undefined ? undefined : played / 1000,
      uri,
      platform: textIn(item, "platform"),
      country: textIn(item, "conn_country"),
      reason_start: textIn(item, "reason_start"),
      reason_end: textIn(item, "reason_end"),
      shuffle: flag("shuffle"),
      skipped: flag("skipped"),
      offline: flag("offline"),
      incognito: flag("incognito_mode"),
    },
  };
}

const kindOf = (uri: string | undefined): string => (uri?.startsWith("spotify:episode:") ? "episode" : "track");
