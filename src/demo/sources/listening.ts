// The music that Nora listened to, as Spotify's extended streaming history.
import { createHash } from "node:crypto";
import type { JsonObject } from "../../contract/record.ts";
import { days, iso } from "../clock.ts";
import type { DemoExport } from "../home.ts";
import { createRandom } from "../random.ts";
import { artists, devices } from "../text/music.ts";
import { moment } from "./chat.ts";

export function listeningExport(): DemoExport {
  return {
    key: "listening",
    display_name: "Tuneharbour",
    *files() {
      const path = "Spotify Extended Streaming History/Streaming_History_Audio_2023-2026_0.json";
      yield { path, content: JSON.stringify(plays()) };
    },
  };
}

function plays(): JsonObject[] {
  const random = createRandom("listening");
  const found: JsonObject[] = [];
  for (const day of days()) {
    const workday = day.weekday < 5;
    if (!random.chance(workday ? 0.42 : 0.55)) continue;
    // Before the concert in October 2025, she listens to little else.
    const fond = day.date >= "2025-09-15" && day.date <= "2025-10-31" ? 0.5 : 0.05;
    let at = moment(random, day.date, workday ? 7 : 10, workday ? 8 : 21);
    const device = workday ? "headphones" : random.pick(devices);
    const mood = random.pick(artists);
    for (let left = random.int(3, 8); left > 0; left--) {
      const artist = random.chance(fond) ? artists[0]! : random.chance(0.5) ? mood : random.pick(artists);
      const [album, tracks] = random.pick(Object.entries(artist.albums));
      const track = random.pick(tracks);
      const duration = 140 + ((track.length * 37 + artist.name.length * 53) % 260);
      const skipped = random.chance(0.09);
      const listened = skipped ? random.int(8, 70) : duration;
      found.push({
        ts: iso(at + listened * 1000),
        platform: device,
        ms_played: listened * 1000,
        conn_country: "IE",
        master_metadata_track_name: track,
        master_metadata_album_artist_name: artist.name,
        master_metadata_album_album_name: album,
        spotify_track_uri: `spotify:track:${createHash("sha256").update(`${artist.name}/${track}`).digest("hex").slice(0, 22)}`,
        reason_start: "trackdone",
        reason_end: skipped ? "fwdbtn" : "trackdone",
        shuffle: false,
        skipped,
        offline: false,
        incognito_mode: false,
      });
      at += (listened + random.int(1, 4)) * 1000;
    }
  }
  return found;
}
