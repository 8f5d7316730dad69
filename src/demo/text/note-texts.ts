// Short notes: recipes, books, rehearsals, meetings, measurements.
import type { DemoNotebook } from "../story/story.ts";

export interface NoteKind {
  notebook: DemoNotebook;
  tags: string[];
  title: string;
  parts: string[];
  /** How many of the parts each note has. */
  length: number;
}

export const noteKinds: NoteKind[] = [
  {
    notebook: "recipes",
    tags: ["recipe"],
    title: "{dish}, version {2..9}",
    length: 5,
    parts: [
      "## What goes in\n\n- {200..600} g of the main thing\n- {ingredient}\n- {ingredient}\n- salt, more than you think",
      "Fry the onions for {12..30} minutes. Not ten. The recipe lies about onions, they all do.",
      "Oven at {160..220} degrees for {20..75} minutes, middle shelf, lid [on|off|off for the last ten].",
      "Next time: less {ingredient}, and rest it for {5..25} minutes.",
      'Mateus\'s verdict: [seconds|thirds|"interesting"|asked for the rest cold].',
      "Feeds {2..8}, or one Cian.",
      "Goes with {ingredient} and a salad of whatever is left.",
    ],
  },
  {
    notebook: "reading",
    tags: ["books"],
    title: "{book}: notes",
    length: 4,
    parts: [
      "Read in {2..19} evenings and on two buses.",
      "Page {20..310}: the description of the [kitchen|harbour|funeral|snow] is exact in the way that measurements are.",
      "What it is about: people who listen badly to each other, in good light.",
      "Sentence to keep: about the house that was quiet like a held breath.",
      "For book club: why does nobody ask the [aunt|neighbour|child|ferryman]?",
      "{3..5} out of five. Lend to [Orla|Priya|Sinéad|Mam], not to [Jonas|Cian|Gráinne].",
      "Compare with {book}, which does the same with fewer words.",
    ],
  },
  {
    notebook: "choir",
    tags: ["choir"],
    title: "Rehearsal: {piece}",
    length: 4,
    parts: [
      "Marks: bar {8..40} breathe, bar {41..90} wait for the tenors, bar {91..140} do not look at Yuki.",
      "Dermot wants the vowel [darker|brighter|further back|as in 'far'].",
      "Second altos alone on the {2..9}th entry; sing it like you mean it and are sorry.",
      "Tempo {52..120}, in fact {48..126}.",
      "The church at {8..17} degrees: we end {10..40} cents flat and nobody tells the organ.",
      "Practise at home: the leap in bar {20..120}, slowly, ten times, then tea.",
    ],
  },
  {
    notebook: "work",
    tags: ["work"],
    title: "{room}, visit on a {day}",
    length: 5,
    parts: [
      "## What they say\n\nToo loud at lunch, too quiet to be private, a hum that nobody else hears.",
      "## What I measured\n\n{0.5..2.8} s at {band}, background {25..48} dBA, a line at {band}.",
      "The caretaker's theory is the [pipes|lift|ghost|new windows]. He has been right before.",
      "Possible: {20..120} m² of felt, a carpet, a door that closes.",
      "Ask {who} for the drawings, the ones on the drive show a wall that is not there.",
      "Photo {12..88} shows the gap above the partition, {10..90} mm, which explains all of it.",
      "Fee: {1..5} days. Promise nothing about {band}.",
    ],
  },
  {
    notebook: "wren-box",
    tags: ["birds", "electronics"],
    title: "Unit {2..9}: [gasket|gain|battery|antenna|firmware] test",
    length: 4,
    parts: [
      "Set-up: balcony rail, port facing [north|the lane|the chimney], {2..16} degrees.",
      "Result: {19..33} hours on one charge, {4..160} detections, {0..9} resets.",
      "The {bird} class gains {1..9} points when the clips are normalised.",
      "Cause found: [a cold joint|the wrong crystal|a spider|my own patch of last week].",
      "Next: repeat with unit {2..9} as control, otherwise Priya will ask.",
      "Noise floor {29..39} dBA at four, {41..57} at eight.",
    ],
  },
  {
    notebook: "home",
    tags: ["home"],
    title: "[List for {day}|Small repairs|Presents, ideas|What to cook in a week that is {weather}]",
    length: 4,
    parts: [
      "- {ingredient}\n- {ingredient}\n- light bulb, the small screw\n- stamps",
      "- Monday {dish}\n- Wednesday {dish}\n- Friday something that is not soup",
      "Ask Jonas about the [drawer|door|chair leg|shelf], it wobbles like a bad argument.",
      "Present for {friend}: {book}, or the record with the foghorns.",
      "Measure the niche: {61..98} by {180..240} cm, and write it down this time.",
      "Under the sink it drips {3..30} times a minute. I counted, of course I counted.",
    ],
  },
];
