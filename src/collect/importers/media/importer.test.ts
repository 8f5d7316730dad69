// Spotify, Netflix and YouTube histories, written by hand in their formats, because no real ones were available.
import { expect, it } from "vitest";
import { parseDeclaration } from "../../../core/declaration-check.ts";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { mediaDeclaration } from "./declaration.ts";
import { mediaImporter as importer } from "./importer.ts";

const short = [
  { endTime: "2023-01-01 12:34", artistName: "Nils Frahm", trackName: "Says", msPlayed: 498000 },
  { endTime: "2023-01-01 12:34", artistName: "Nils Frahm", trackName: "Says", msPlayed: 498000 },
  { endTime: "2023-13-01 12:34", artistName: "X", trackName: "Y", msPlayed: 1 },
];
const podcast = [{ endTime: "2023-01-02 07:00", podcastName: "In Our Time", episodeName: "Bats", msPlayed: 61500 }];
const track = {
  ts: "2021-05-04T03:02:01Z",
  username: "nora",
  platform: "linux",
  ms_played: 1234,
  conn_country: "IE",
  ip_addr: "192.0.2.7",
  master_metadata_track_name: "Says",
  master_metadata_album_artist_name: "Nils Frahm",
  master_metadata_album_album_name: "Spaces",
  spotify_track_uri: "spotify:track:1",
  episode_name: null,
  reason_start: "clickrow",
  reason_end: "trackdone",
  shuffle: false,
  skipped: null,
  offline: true,
  incognito_mode: false,
};
const extended = [
  track,
  {
    ...track,
    ts: "2021-05-04T04:00:00Z",
    master_metadata_track_name: null,
    master_metadata_album_artist_name: null,
    master_metadata_album_album_name: null,
    spotify_track_uri: null,
    episode_name: "Bats",
    episode_show_name: "In Our Time",
    spotify_episode_uri: "spotify:episode:2",
  },
  { ...track, master_metadata_track_name: null, spotify_track_uri: null },
];
const activity = `Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,Bookmark,Latest Bookmark,Country
Nora,2022-02-03 20:15:03,00:24:13,,"Dark: Season 1: Secrets, Part 1 (Episode 1)",,Smart TV,00:24:13,00:24:13,IE (Ireland)
Nora,2022-02-03 20:14:00,00:00:30,Autoplayed: user action: None; ,Dark_trailer,TRAILER,Smart TV,00:00:30,Not latest view,IE (Ireland)
Nora,yesterday,00:00:30,,Dark,,Smart TV,,,IE (Ireland)
`;
const listed = 'Title,Date\n"Dark: Staffel 1: Geheimnisse","3/4/24"\n"The Wave","15/04/24"\n';
const youtube = [
  {
    header: "YouTube",
    title: "Watched Bach: Goldberg Variations",
    titleUrl: "https://www.youtube.com/watch?v\u003dabc",
    subtitles: [{ name: "Netherlands Bach Society", url: "https://www.youtube.com/channel/x" }],
    time: "2024-01-01T10:00:00.123Z",
    products: ["YouTube"],
  },
  {
    header: "YouTube Music",
    title: "Says angesehen",
    titleUrl: "https://music.youtube.com/watch?v=def",
    time: "2024-01-01T11:00:00Z",
    products: ["YouTube"],
  },
  {
    header: "YouTube",
    title: "Watched an ad",
    titleUrl: "https://www.youtube.com/watch?v=ad",
    time: "2024-01-01T12:00:00Z",
    details: [{ name: "From Google Ads" }],
  },
  { header: "YouTube", title: "Watched a video that has been removed", time: "2024-01-01T13:00:00Z" },
  {
    header: "YouTube",
    title: "Searched for bach",
    titleUrl: "https://www.youtube.com/results?search_query=bach",
    time: "2024-01-01T09:00:00Z",
  },
  { header: "YouTube", title: "Watched nothing", titleUrl: "https://www.youtube.com/watch?v=x" },
];
const files: Record<string, string> = {
  "StreamingHistory_music_0.json": JSON.stringify(short, null, 2),
  "StreamingHistory_podcast_0.json": JSON.stringify(podcast, null, 2),
  "endsong_0.json": JSON.stringify(extended),
  "ViewingActivity.csv": activity,
  "watch-history.json": JSON.stringify(youtube),
};
const entry = (name: string) => memoryEntry(name, files[name]!);
const found = async (name: string) =>
  recordsOf(await collect(importer, [entry(name)])).map(({ data: { id: _id, ...rest } }) => rest);

it("has a valid declaration", () => expect(() => parseDeclaration(mediaDeclaration)).not.toThrow());

it("P-05 Spotify short history: tracks and episodes; equal plays stay separate", async () => {
  const events = await collect(importer, [entry("StreamingHistory_music_0.json")]);
  const play = {
    service: "spotify",
    kind: "track",
    title: "Says",
    artist: "Nils Frahm",
    ended_at: "2023-01-01T12:34:00.000Z",
    seconds: 498,
  };
  expect(recordsOf(events).map(({ data }) => data)).toMatchObject([play, play]);
  expect(recordsOf(events)[1]!.key).toBe(`${recordsOf(events)[0]!.key}.1`);
  expect(events.filter(({ kind }) => kind === "error")).toMatchObject([{ message: "its time is invalid" }]);
  expect(await found("StreamingHistory_podcast_0.json")).toEqual([
    {
      service: "spotify",
      kind: "episode",
      title: "Bats",
      artist: "In Our Time",
      ended_at: "2023-01-02T07:00:00.000Z",
      seconds: 61.5,
    },
  ]);
});

it("P-05 Spotify extended history: the IP address is not imported", async () => {
  const rest = {
    platform: "linux",
    country: "IE",
    reason_start: "clickrow",
    reason_end: "trackdone",
    shuffle: false,
    offline: true,
    incognito: false,
    seconds: 1.234,
    service: "spotify",
  };
  expect(await found("endsong_0.json")).toEqual([
    {
      ...rest,
      kind: "track",
      title: "Says",
      artist: "Nils Frahm",
      album: "Spaces",
      uri: "spotify:track:1",
      ended_at: "2021-05-04T03:02:01.000Z",
    },
    {
      ...rest,
      kind: "episode",
      title: "Bats",
      artist: "In Our Time",
      uri: "spotify:episode:2",
      ended_at: "2021-05-04T04:00:00.000Z",
    },
  ]);
});

it("P-05 Netflix: times, durations, series, trailers", async () => {
  expect(await found("ViewingActivity.csv")).toEqual([
    {
      service: "netflix",
      kind: "title",
      title: "Dark: Season 1: Secrets, Part 1 (Episode 1)",
      series: "Dark",
      watched_at: "2022-02-03T20:15:03.000Z",
      seconds: 1453,
      profile: "Nora",
      device: "Smart TV",
      country: "IE (Ireland)",
    },
    {
      service: "netflix",
      kind: "trailer",
      title: "Dark_trailer",
      watched_at: "2022-02-03T20:14:00.000Z",
      seconds: 30,
      profile: "Nora",
      device: "Smart TV",
      country: "IE (Ireland)",
      is_autoplayed: true,
    },
  ]);
});

it("I-06 Netflix saved by a spreadsheet: changed separators, dates and durations, empty rows and columns", async () => {
  const titles = async (text: string, answers = {}) =>
    recordsOf(await collect(importer, [memoryEntry("NetflixViewingHistory.csv", text)], { answers })).map(
      ({ data }) => [data.title, data.watched_at, data.seconds],
    );
  const full = (at: string, length: string) =>
    `\ufeffProfile Name;Start Time;Duration;Attributes;Title;Supplemental Video Type;Device Type;Country\r\nNora;${at};${length};;Dark: Season 1: Lies;;TV;DE (Germany)\r\n;;;;;;;\r\n`;
  const expected = [["Dark: Season 1: Lies", "2024-01-15T21:03:11.000Z", 2592]];
  expect(await titles(full("2024-01-15 21:03:11", "0:43:12"))).toEqual(expected);
  expect(await titles(full("15.01.2024 21:03:11", "43:12"))).toEqual(expected);
  expect(await titles(full("1/15/24 21:03", "00:43:12"))).toEqual([
    ["Dark: Season 1: Lies", "2024-01-15T21:03:00.000Z", 2592],
  ]);
  expect(await titles('Title;Date;\r\n"Dark: Lies";2024-01-15;\r\n;;\r\n')).toEqual([
    ["Dark: Lies", "2024-01-15T00:00:00.000Z", undefined],
  ]);
  expect(await titles("Title\tDate\r\nDark: Lies\t03.04.2024\r\n", { netflix_date_order: "dmy" })).toEqual([
    ["Dark: Lies", "2024-04-03T00:00:00.000Z", undefined],
  ]);
  const { questions } = await importer.plan(
    { name: "x", entries: [memoryEntry("ViewingActivity.csv", full("03.04.2024 21:03", "0:01:00"))] },
    {},
  );
  expect(questions!.map(({ id }) => id)).toEqual(["netflix_date_order"]);
});

it("P-05 Netflix short list: the order of day and month is detected from the dates; the plan asks if they are ambiguous", async () => {
  const days = async (text: string, answers = {}) =>
    recordsOf(await collect(importer, [memoryEntry("NetflixViewingHistory.csv", text)], { answers })).map(
      ({ data }) => data.watched_at,
    );
  expect(await days(listed)).toEqual(["2024-04-03T00:00:00.000Z", "2024-04-15T00:00:00.000Z"]);
  const plain = 'Title,Date\n"Dark","3/4/24"\n';
  const questions = async (text: string) =>
    (await importer.plan({ name: "x", entries: [memoryEntry("NetflixViewingHistory.csv", text)] }, {})).questions!.map(
      ({ id }) => id,
    );
  expect(await questions(listed)).toEqual([]);
  expect(await questions(plain)).toEqual(["netflix_date_order"]);
  expect(await days(plain, { netflix_date_order: "mdy" })).toEqual(["2024-03-04T00:00:00.000Z"]);
  expect(await days(plain)).toEqual([]);
});

it("P-05 YouTube: videos, music, advertisements, removed videos; searches are skipped", async () => {
  expect(await found("watch-history.json")).toEqual([
    {
      service: "youtube",
      kind: "video",
      title: "Bach: Goldberg Variations",
      channel: "Netherlands Bach Society",
      url: "https://www.youtube.com/watch?v=abc",
      watched_at: "2024-01-01T10:00:00.123Z",
    },
    {
      service: "youtube",
      kind: "music",
      title: "Says",
      url: "https://music.youtube.com/watch?v=def",
      watched_at: "2024-01-01T11:00:00.000Z",
    },
    {
      service: "youtube",
      kind: "video",
      title: "an ad",
      url: "https://www.youtube.com/watch?v=ad",
      watched_at: "2024-01-01T12:00:00.000Z",
      is_ad: true,
    },
    {
      service: "youtube",
      kind: "video",
      title: "a video that has been removed",
      watched_at: "2024-01-01T13:00:00.000Z",
    },
  ]);
});

it("P-05 histories are recognised by their fields in any language, and HTML pages by their folder", () => {
  expect(recognised(importer, "MyData/StreamingHistory0.json", files["StreamingHistory_music_0.json"]!)).toMatchObject({
    score: 95,
    group: "Spotify",
  });
  expect(recognised(importer, "endsong_0.json", files["endsong_0.json"]!)?.group).toBe("Spotify");
  expect(recognised(importer, "CONTENT_INTERACTION/ViewingActivity.csv", activity)).toMatchObject({
    score: 95,
    group: "Netflix",
  });
  expect(recognised(importer, "list.csv", listed)?.score).toBe(40);
  expect(
    recognised(
      importer,
      "Takeout/YouTube und YouTube Music/Verlauf/Wiedergabeverlauf.json",
      files["watch-history.json"]!,
    ),
  ).toMatchObject({ score: 95, group: "YouTube" });
  for (const path of [
    "YouTube and YouTube Music/history/watch-history.html",
    "YouTube und YouTube Music/Verlauf/Wiedergabeverlauf.html",
    "My Activity/YouTube/MyActivity.html",
  ]) {
    const page = "<html><head><style>/* material-design-lite */";
    expect(recognised(importer, `Takeout/${path}`, page)).toMatchObject({ score: 95, group: "YouTube" });
  }
  expect(
    recognised(importer, "Takeout/YouTube and YouTube Music/my-comments/my-comments.html", "<html>"),
  ).toBeUndefined();
  expect(recognised(importer, "a.json", '[{"ts": 1}]')).toBeUndefined();
});

it("I-06 a YouTube history as an HTML page has the same fields as JSON, even if a chunk ends inside a cell", async () => {
  const cell = (inner: string, caption: string) =>
    `<div class="outer-cell"><p class="mdl-typography--title">YouTube<br></p></div><div class="content-cell mdl-typography--body-1">${inner}</div><div class="content-cell mdl-typography--body-1 mdl-typography--text-right"></div><div class="content-cell mdl-typography--caption">${caption}</div>`;
  const video = (id: string, time: string) =>
    `Watched\u00a0<a href="https://www.youtube.com/watch?v=${id}">A &amp; B</a><br><a href="https://www.youtube.com/channel/x">Someone</a><br>${time}<br>`;
  const page = `<html><head><style>/* material-design-lite */${" ".repeat(5000)}</style></head><body>${cell(video("1", "Mar 8, 2026, 7:47:24\u202fPM EDT"), "<b>Products:</b>")}${cell(video("2", "8.3.2026, 19:47:24 MEZ"), "<b>Details:</b><br>From Google Ads")}${cell("Watched a video that has been removed<br>no time", "")}</body></html>`;
  const events = await collect(importer, [memoryEntry("watch-history.html", page)]);
  expect(recordsOf(events).map(({ data }) => data)).toMatchObject([
    {
      title: "A & B",
      channel: "Someone",
      url: "https://www.youtube.com/watch?v=1",
      watched_at: "2026-03-08T23:47:24.000Z",
    },
    { watched_at: "2026-03-08T18:47:24.000Z", is_ad: true },
  ]);
  expect(events.flatMap((event) => (event.kind === "error" ? [event.message] : []))).toEqual([
    "an activity without a time",
  ]);
});

it("warns if the short and the extended history are imported together", async () => {
  const both = [entry("StreamingHistory_music_0.json"), entry("endsong_0.json")];
  expect((await importer.plan({ name: "x", entries: both }, {})).warnings).toHaveLength(1);
});

it("P-05 produces the same records in every run, resumes from every checkpoint, and matches its declaration", async () => {
  const many = Array.from({ length: 2500 }, (_, n) => ({
    ...track,
    ts: new Date(1_600_000_000_000 + n * 1000).toISOString(),
  }));
  const entries = [
    memoryEntry("Streaming_History_Audio_0.json", JSON.stringify(many)),
    ...Object.keys(files).map(entry),
  ];
  await repeatsAndResumes(importer, entries);
  expect(await refusals(importer, entries)).toEqual([]);
});

it("SECURITY row 16: truncated and damaged histories never crash the parser", async () => {
  for (const name of Object.keys(files)) await hostile(importer, name, Buffer.from(files[name]!));
});
