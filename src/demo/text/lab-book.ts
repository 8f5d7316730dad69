// The Wren Box lab book: one long document, an entry for most days since November 2024.
import { days, longDate, weekdayName } from "../clock.ts";
import { capital, settle, write } from "../grammar.ts";
import { createDeck, createRandom } from "../random.ts";
import { words } from "./words.ts";

/** Facts that occur only here. */
const MILESTONES: Record<string, string> = {
  "2024-11-03": "First entry. The idea in one line: a box that knows who is singing and tells nobody else.",
  "2025-02-14":
    "Salt spray test, day 21. Five membranes have failed. The only membrane that still breathes and keeps the water out is Gorvex 418, the grey one that cost the least.",
  "2025-04-07": "Priya's two changes are in. Held-out accuracy went from 84.6 to 91.3 percent overnight.",
  "2025-06-02":
    "Corncrake, 04:12, unit 3 in Ballina, eleven seconds, confidence 0.97. Backed up three times. Dad has put up a sign for the hay cutter.",
  "2025-07-19":
    "Dublin Maker, stand B17: 412 visitors counted with Priya's clicker, 63 asked for the plans, one asked whether it finds husbands.",
  "2025-09-28":
    "Spectrogram bug found after nine days: the window was Hann in training and Hamming on the box. I want those nine days back.",
  "2026-01-18":
    "Winter power budget closed: with a sleep of 55 seconds a minute the 6 W panel carries the box from 8 February on.",
  "2026-03-21": "Gerald is on the bike shed. First detection at 10:47, a wren, which the children had ordered.",
  "2026-06-12": "Ninety days of Gerald: 31 species, 11,806 detections, one escaped budgie (confirmed by its owner).",
};

const WEATHER = [
  "Night of {2..14} degrees, wind {1..7} from the [west|south-west|north-east|south], {weather} at dawn.",
  "{2..18} degrees at five, humidity {61..99} percent, the lid [dry|wet|misted on the inside|covered in pollen].",
  "Barometer {988..1031}, [rising|falling|steady]; {weather}, then it changed its mind.",
  "Dew on the rail until seven, then {3..9} degrees and a low sun straight into the port.",
];
const DETECTIONS = [
  "{12..160} detections from {3..16} species; the {bird} led with {6..70}, the {bird} came second.",
  "Unit {1..9} heard {4..90} calls between {3..5}:{10..59} and {6..8}:{10..59}, mostly {bird}.",
  "A quiet night: {1..9} detections, one of them a {bird} at 0.{55..99}.",
  "The {bird} sang {2..41} times from the same perch, to judge by the level, which stayed within {0.4..2.6} dB.",
  "First {bird} since {9..60} days, at 0{4..6}:{10..59}, then nothing more of it.",
];
const MISTAKES = [
  "False alarms: {1..19}, of which {1..9} were [buses|bicycle brakes|the extractor fan|a squeaking gate|children|rain on the lid] taken for a {bird}.",
  "The model confuses {bird} and {bird} whenever a lorry idles below; band-limiting to {700..1200} Hz helps by {2..11} percent.",
  "I listened to {20..120} clips over breakfast. {2..14} labels were mine and wrong.",
  "Precision {0.71..0.97}, recall {0.48..0.91} on the hand-checked hour. The misses are all faint.",
  "Confidence collapsed after {4..9} o'clock because somebody is cutting stone at {place}.",
];
const HARDWARE = [
  "Cell {3.31..4.12} V at sunset, {3.05..3.98} V at sunrise; the board drew {38..140} mA on average.",
  "Changed the gland on unit {2..9}; the old one had a hair in its thread.",
  "Card {3..9} has {2..61} bad blocks and retires to the drawer of honour.",
  "New foam, {4..20} mm: wind noise down by {2..9} dB below 400 Hz, high end unchanged within {0.2..1.1} dB.",
  "Moved the antenna {5..30} cm up; packets lost fell from {8..31} to {0..6} percent.",
  "Clock drift {0.2..4.8} seconds a day without network, worse when it is cold.",
  "Gain back to {18..28} dB. At {29..34} the [37 bus|glass collection|Angelus bell|dustbin lorry] clips for {2..9} samples.",
];
const THOUGHTS = [
  "Idea: let the box ask the second box before it believes itself.",
  "To do: write the thing down so that somebody with a soldering iron and no patience can build it.",
  "Read a paper from [Uppsala|Ithaca|Konstanz|Wellington] that does with {3..40} hours of data what we do with {200..900}.",
  "Mateus held the ladder and said nothing, which I count as funding.",
  "Jonas suggests [larch|oak|cedar|a roof of slate], because plastic remembers the sun.",
  "Priya asks for the raw clips, not the nice ones. She is right.",
  "A neighbour wanted to know what it hears. I showed her the code that throws voices away, and then she wanted one.",
  "If I had only one number to look at every morning it would be the noise floor, today {29..44} dBA.",
  "Compared the dawn with the one a month ago: the {bird} is {2..19} minutes [earlier|later].",
];

export function labBook(): string {
  const random = createRandom("lab book");
  const decks = [WEATHER, DETECTIONS, MISTAKES, HARDWARE, THOUGHTS].map((table) => createDeck(random, table));
  const parts = [
    "# Wren Box lab book",
    "",
    "One entry for every night that taught us something. Units are numbered in the order they were soldered.",
    "",
  ];
  let month = "";
  for (const day of days("2024-11-03", "2026-06-28")) {
    const milestone = MILESTONES[day.date];
    if (milestone === undefined && random.chance(0.18)) continue;
    const thisMonth = day.date.slice(0, 7);
    if (thisMonth !== month) parts.push(`## ${longDate(day.date).replace(/^\d+ /, "")}`, "");
    month = thisMonth;
    const slots = { ...words, ...settle(random, { place: words.place }) };
    const sentences = decks.map((deal) => capital(write(random, deal(), slots)));
    if (random.chance(0.5)) sentences.splice(3, 0, capital(write(random, decks[1]!(), slots)));
    if (milestone !== undefined) sentences.unshift(`**${milestone}**`);
    parts.push(`### ${weekdayName(day.weekday)}, ${longDate(day.date)}`, "", sentences.join(" "), "");
  }
  return parts.join("\n");
}
