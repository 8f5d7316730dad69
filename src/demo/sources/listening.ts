// Listening history of a music service.
import type { JsonObject } from "../../contract/record.ts";
import { recordSchema } from "../../core/declare.ts";
import { days, iso } from "../clock.ts";
import { declareSource, field } from "../declare.ts";
import { type DemoConnection, type DemoRecord, type DemoSource, stream } from "../home.ts";
import { createRandom } from "../random.ts";
import { artists, devices } from "../text/music.ts";
import { moment } from "./chat.ts";

export const listening: DemoSource = {
  connector_key: "listening",
  declaration: declareSource("listening", "Tuneharbour", [
    {
      name: "plays",
      description: "Every track that was played.",
      display: { label: "Plays", detail: "Tracks, artists and when they were heard" },
      semantics: "append_only",
      schema: recordSchema("Play", {
        id: field.text("Id", "Stable id of the play."),
        track: field.text("Track", "Title of the track."),
        artist: field.text("Artist", "Who plays."),
        album: field.text("Album", "The record it is from."),
        genre: field.choice("Genre", "Kind of music.", [...new Set(artists.map((artist) => artist.genre))]),
        played_at: field.instant("Played", "When it started."),
        duration_seconds: field.count("Duration", "Length of the track in seconds."),
        listened_seconds: field.count("Listened", "How long it was heard, in seconds."),
        skipped: field.flag("Skipped", "It was left before the end."),
        device: field.choice("Device", "Where it was heard.", devices),
      }),
      time: "played_at",
      views: [{ id: "taste", label: "What, not when", fields: ["id", "track", "artist", "album", "genre"] }],
      ranges: ["played_at", "listened_seconds", "duration_seconds"],
      search: ["track", "artist", "album"],
      aggregations: {
        count_distinct: ["artist", "album", "track"],
        group_by: ["artist", "album", "track", "genre", "device", "skipped"],
        group_by_time: ["played_at"],
        sum: ["listened_seconds"],
        avg: ["listened_seconds"],
        min: ["played_at"],
        max: ["played_at", "listened_seconds"],
      },
    },
  ]),
};

export function listeningConnections(): DemoConnection[] {
  return [{ ...listening, key: "listening", display_name: "Tuneharbour", streams: [stream("plays", playLines)] }];
}

function playLines(): DemoRecord[] {
  const random = createRandom("listening");
  const lines: DemoRecord[] = [];
  for (const day of days()) {
    const workday = day.weekday < 5;
    if (!random.chance(workday ? 0.42 : 0.55)) continue;
    // Before the concert of October 2025 she hears little else.
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
      const id = `play-${String(lines.length + 1).padStart(5, "0")}`;
      const data: JsonObject = {
        id,
        track,
        artist: artist.name,
        album,
        genre: artist.genre,
        played_at: iso(at),
        duration_seconds: duration,
        listened_seconds: listened,
        skipped,
        device,
      };
      lines.push({ id, at, data });
      at += (listened + random.int(1, 4)) * 1000;
    }
  }
  return lines;
}
