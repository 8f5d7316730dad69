// The Harbour Hall survey: one long report with a section for every measured seat.
import { write } from "../grammar.ts";
import { createDeck, createRandom } from "../random.ts";

const FACTS: Record<string, string> = {
  Q14: "This is the worst seat in the house: C80 of −2.6 dB at 1 kHz, an echo after 140 ms, and a pillar. Whoever sits here has our sympathy and, after the works, a surprise.",
  A1: "Eleven metres from the ice machine of the yacht club, which puts a line at 100 Hz into every recording before 23:40.",
  K22: "The best seat: C80 of +1.9 dB, lateral fraction 0.24. Ask for K22 when you book, and do not tell anyone.",
  T3: 'Under the gallery lip. The cleaner, Mrs Hegarty, pointed at this seat before we had unpacked: "they shout twice here". She was right to the row.',
  F9: "The seat of the trust's founder carries a brass plate. It rattles at 217 Hz; one drop of wax cured it.",
};

const FIRST = [
  "Source on the stage at position S{1..3}, receiver at 1.2 m, {3..6} sweeps averaged, temperature {14..21} degrees, humidity {41..68} percent.",
  "Measured between {20..23}:{10..59} and midnight with the ventilation off; source S{1..3}, {3..6} sweeps, no audience, house curtain open.",
  "Night {2..4}, position {11..460} of the list; source S{1..3} at full level, {84..96} dB at one metre, background {24..33} dBA.",
  "Source S{1..3}. The microphone stood {3..14} cm left of the seat's middle because of the armrest, which changes nothing below {500..900} Hz.",
  "Two sources in turn, S1 and S{2..3}; the second run was repeated after a door was heard on the stairs.",
];
const DECAY = [
  "The decay is straight over {22..41} dB and gives {2.0..2.5} s at 500 Hz and {2.0..2.5} s at 1 kHz; early decay time {1.7..2.6} s.",
  "Reverberation {2.1..2.6} s at mid frequencies, {2.4..3.1} s at 125 Hz, {1.2..1.7} s at 4 kHz, where the air does the work.",
  "A double slope: {1.1..1.6} s for the first ten decibels, {2.2..2.8} s below, as one expects from a coupled gallery.",
  "T30 at 250 Hz {2.1..2.8} s, at 2 kHz {1.8..2.2} s; the bass rises by {4..18} percent, which musicians call warmth and speakers call mud.",
];
const CLARITY = [
  "Clarity C80 is {-2.4..1.4} dB, definition {31..58} percent, speech transmission index {0.41..0.58}.",
  "Speech: STI {0.40..0.57}, one word in {5..14} lost with the fan on. Music: C80 {-2.2..1.6} dB, centre time {98..171} ms.",
  "Strength G is {3.2..7.9} dB, {0.2..1.9} dB less than the row in front; the side walls still reach this seat after {14..38} ms.",
  "Lateral fraction 0.{11..27}: [a narrow sound|a decent width|more width than the drawings promised].",
];
const HEARD = [
  "Early reflections arrive after {9..31}, {32..58} and {61..112} ms; the second comes from the [balcony front|left wall|right wall|ceiling rose].",
  "A spoken list of {20..50} words was read from the lectern; a listener here missed {1..9} of them, mostly [sibilants|word endings|names|numbers].",
  "Noise with the fans on: NR {22..29}, with a line at {98..312} Hz that [comes and goes|is steady|follows the lift|stops at ten].",
  "By ear: [brass dominates|the cellos bloom|consonants smear|the piano is clear but far|the bassoon is a rumour|violins shine].",
  "Raj clapped, I listened: [a flutter between the side walls|a single slap from the rear wall|nothing but room|a faint zing from the lamps].",
  "Hana's model predicted {1.9..2.6} s here and was off by {1..9} percent, which for an old hall is good.",
  "The seat creaks at {2..9} sones if one leans back, see the annex on furniture.",
  "With the gallery door ajar the level at 63 Hz falls by {0.4..2.4} dB; somebody should decide whether it is a door or a window.",
];
const ADVICE = [
  "Treatment: [slotted timber on the rear wall|none, leave as is|felt under the gallery soffit|diffusing battens, depth {60..140} mm|a new seal on the lobby door].",
  "Expected after the works: {1.75..1.95} s occupied and C80 up by {0.5..1.9} dB.",
  "Priority [high|medium|low]; cost share EUR {90..690} on the area formula of chapter 2.",
  "To be measured again with audience on the opening night, if the programme allows {5..12} minutes of silence.",
];

export function hallSurvey(): string {
  const random = createRandom("hall survey");
  const decks = [FIRST, DECAY, CLARITY, HEARD, ADVICE].map((table) => createDeck(random, table));
  const parts = [
    "# Harbour Hall, Dún Laoghaire: acoustic survey, complete edition",
    "",
    "Prepared by Nora Keane, with Raj Mehta (measurement) and Hana Novák (model), Pike Acoustics, April 2024.",
    "",
    "## 1 Summary",
    "",
    "The hall is half a second too live for words and a shade too live for chamber music. Mid-frequency reverberation is 2.3 s empty; the brief asks for 1.8 s with 640 people. 140 square metres of slotted timber on the rear wall and under the gallery bring it there. The ventilation needs new mounts: NR 27 today, NR 20 wanted.",
    "",
    "## 2 Method",
    "",
    "Exponential sweeps of ten seconds through a dodecahedron, class 1 microphones, ISO 3382-1. Every second seat in rows A to T was visited in four nights; the annex lists serial numbers. Costs are shared among seats by area, so that the trustees can see what each row costs.",
    "",
    "## 3 Seat by seat",
    "",
  ];
  for (const row of "ABCDEFGHJKLMNPQRST") {
    parts.push(`### Row ${row}`, "");
    for (let seat = 1; seat <= 26; seat++) {
      const name = `${row}${seat}`;
      if (FACTS[name] === undefined && random.chance(0.12)) continue;
      const sentences = decks.map((deal) => write(random, deal()));
      if (random.chance(0.6)) sentences.splice(4, 0, write(random, decks[3]!()));
      const fact = FACTS[name];
      if (fact !== undefined) sentences.push(`**${fact}**`);
      parts.push(`#### Seat ${name}`, "", sentences.join(" "), "");
    }
  }
  for (const name of Object.keys(FACTS))
    if (!parts.includes(`#### Seat ${name}`)) throw new Error(`seat ${name} has a fact and no section`);
  parts.push(
    "## 4 Annex",
    "",
    "Dodecahedron serial 0093, amplifier 4471-B, microphones 20417 and 20418. The raw sweeps are on disk HH-2, shelf 3 of the reverberation room.",
  );
  return parts.join("\n");
}
