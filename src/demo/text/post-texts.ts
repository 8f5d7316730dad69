// Nora's posts: birds, rooms, the choir and the cat.

export interface PostText {
  /** Time on a Dublin clock. */
  at: string;
  text: string;
  tags?: readonly string[];
  /** A description of the picture; absent if the post has no picture. */
  picture?: string;
  /** The post by another person that this post replies to. */
  answers?: string;
  /** Shown before the text. */
  warning?: string;
}

export const postTexts: readonly PostText[] = [
  {
    at: "2024-02-11 10:20",
    text: "New here. I make rooms sound better for a living and listen to birds for fun.",
    tags: ["introduction"],
  },
  {
    at: "2024-03-02 18:41",
    text: "Every rehearsal room in this city was designed by somebody who never sang in one.",
    tags: ["acoustics"],
  },
  {
    at: "2024-04-14 09:05",
    text: "A blackcap on Leinster Road at half past five, louder than the number 14.",
    tags: ["dawnchorus", "birds"],
  },
  {
    at: "2024-05-26 20:12",
    text: "Howth at low tide. The gulls were holding a tribunal.",
    picture: "Cliffs and the sea under evening light",
    tags: ["walking"],
  },
  {
    at: "2024-07-08 22:30",
    text: "Clapped my hands in an empty concert hall today and counted to nearly three. Half a second has to go.",
    tags: ["acoustics"],
  },
  {
    at: "2024-08-19 12:03",
    text: "Somebody asked what I do. I said: I take the echo out of places. She said: can you do my marriage?",
  },
  {
    at: "2024-11-03 11:15",
    text: "Two microphones, a tiny computer, a lunch box. It hears a wren and says so. I am calling it the Wren Box.",
    tags: ["wrenbox", "birds"],
    picture: "Hills in morning light, seen from a balcony",
  },
  { at: "2024-11-05 08:02", text: "It says the neighbour's hinge is a bittern.", tags: ["wrenbox"] },
  {
    at: "2024-12-22 17:40",
    text: "Sang the O Antiphons in a church with seven seconds of reverberation. For once I would change nothing.",
    tags: ["choir"],
  },
  {
    at: "2025-01-19 21:55",
    text: "Reading a paper on how robins change pitch when traffic is loud. We do the same in restaurants.",
    tags: ["birds", "acoustics"],
  },
  {
    at: "2025-03-09 19:30",
    text: "We moved. The cat inspected every box and approved one, the empty one.",
    tags: ["catsofmastodon"],
  },
  {
    at: "2025-03-16 07:48",
    text: "First dawn on Manor Street: wren, robin, dunnock, street sweeper.",
    tags: ["dawnchorus"],
  },
  {
    at: "2025-04-06 23:10",
    text: "My friend the oceanographer has looked at my data for an hour and found in it what I had missed for a month.",
    tags: ["wrenbox"],
  },
  {
    at: "2025-05-17 22:04",
    text: "Lisbon. Eighty candles, four languages, one grandmother who outsang all of us.",
    picture: "Roofs of a town by the river at dusk",
  },
  {
    at: "2025-05-19 10:31",
    text: "The trams here squeal at exactly the pitch of a swift. The swifts seem to find it rude.",
    tags: ["birds"],
  },
  {
    at: "2025-06-02 08:15",
    text: "Somewhere in Mayo, at 04:12, eleven seconds of a bird that I had only ever heard on a record.",
    tags: ["wrenbox", "birds"],
  },
  {
    at: "2025-06-02 12:47",
    text: "No, I will not say which field. They have enough trouble.",
    answers: "https://tide.example/users/fieldnotes/statuses/88201",
  },
  {
    at: "2025-07-19 18:55",
    text: "Six hundred people listened to a wren in a tent today, next to a steam organ.",
    tags: ["wrenbox"],
    picture: "Hills behind a field, clouds above",
  },
  {
    at: "2025-07-20 09:12",
    text: "To everyone who asked: yes, the plans will be free. Give me a month, my soldering is not for publication.",
    tags: ["wrenbox"],
  },
  {
    at: "2025-08-17 13:40",
    text: "A carpenter made me twelve boxes in larch before he left for Oslo. They smell better than electronics should.",
    tags: ["wrenbox"],
  },
  { at: "2025-09-07 16:20", text: "Firmware 0.3 is out: it sleeps when it rains, as I would.", tags: ["wrenbox"] },
  {
    at: "2025-10-12 23:58",
    text: "The Paper Lanterns, row F. The second violin breathes before every entry, and now I hear nothing else.",
  },
  {
    at: "2025-11-20 12:30",
    text: "A panel of strangers will pay for ten Wren Boxes on school roofs. I read the letter to the cat twice.",
    tags: ["wrenbox"],
  },
  {
    at: "2025-12-14 15:08",
    text: "Choir concert tonight. If you hear an alto sigh in the rests, that is me counting.",
    tags: ["choir"],
  },
  { at: "2026-01-06 10:00", text: "Resolution: fewer microphones. (I own nineteen.)" },
  {
    at: "2026-02-03 16:30",
    text: "Fourth class has named the box on their roof. His name is Gerald.",
    tags: ["wrenbox"],
  },
  {
    at: "2026-03-21 14:22",
    text: "Gerald is up. In his first hour he heard a magpie, a school bell and the caretaker's opinion of the ladder.",
    tags: ["wrenbox"],
    picture: "A town with low roofs under a bright sky",
  },
  {
    at: "2026-04-04 09:36",
    text: "Ask for the raw recordings whenever a graph looks too good.",
    answers: "https://tide.example/users/sensornet/statuses/90417",
  },
  {
    at: "2026-04-26 20:44",
    text: "A meeting about a theatre curtain ran for two hours. The curtain is four millimetres thick.",
    warning: "work",
  },
  {
    at: "2026-05-10 06:10",
    text: "International dawn chorus day. Up at four, home by seven, forty-one species and one suspicious guard.",
    tags: ["dawnchorus", "birds"],
    picture: "The sea at first light, an island behind it",
  },
  {
    at: "2026-06-21 11:25",
    text: "My brother got married. The band was too loud, and I said nothing all night. Growth.",
    picture: "Hills and water in the evening sun",
  },
  { at: "2026-06-27 19:02", text: "Three months of Gerald: 1,904 wrens, or one very busy wren.", tags: ["wrenbox"] },
];

/** Posts by others that she reposted, liked or bookmarked. */
export const reposted: readonly (readonly [at: string, url: string])[] = [
  ["2025-02-02 12:00", "https://tide.example/users/fieldnotes/statuses/80112"],
  ["2025-09-08 08:30", "https://tide.example/users/sensornet/statuses/86630"],
  ["2026-05-11 21:15", "https://tide.example/users/dawnwatch/statuses/91855"],
];
export const liked: readonly string[] = [
  "https://tide.example/users/fieldnotes/statuses/88201",
  "https://tide.example/users/dawnwatch/statuses/91840",
  "https://tide.example/users/roomtone/statuses/70555",
];
export const kept: readonly string[] = [
  "https://tide.example/users/roomtone/statuses/71203",
  "https://tide.example/users/sensornet/statuses/90417",
];
