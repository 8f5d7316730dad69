// The walk diary: one long document with every walk since 2023.
import { days, isAway, longDate } from "../clock.ts";
import { capital, write } from "../grammar.ts";
import { createDeck, createRandom } from "../random.ts";
import { words } from "./words.ts";

const FACTS: Record<string, string> = {
  "2023-04-08":
    "Note for next time: the key of the hut at Lough Dan lies under the third stone left of the stile, not the fourth.",
  "2023-08-06":
    "Found out that the last bus from Glendalough on Sundays is at 17:40, from the far side of the bridge. We know because we saw it.",
  "2024-02-11":
    "Lugnaquilla with five people, sleet and a rope of stubbornness. 925 metres, wind 86 dB behind the cairn, one mitten lost.",
  "2024-07-14": "Mateus proposed that we swim in Lough Bray Lower: 11 degrees. I proposed that he swim.",
  "2025-03-16":
    "First walk from the new door: Manor Street to the Phoenix Park gate takes nine minutes, with dog-greeting fourteen.",
  "2025-09-21":
    "Blister remedy that works: zinc tape from the first kilometre, wool over silk. Sinéad swears, and now so do I.",
  "2026-05-24":
    "Counted 1,140 Manx shearwaters past the Baily lighthouse in one hour, from the bench with the missing slat.",
};

const START = [
  "{2..17} degrees and {weather} at the first gate, {8..11}:{10..59}; jacket [on|off|on, off, on].",
  "The {7..11}:{10..59} [train|bus] was {2..19} minutes late, so there was time for a second bun.",
  "Walk number such-and-such with a pack of {3..11} kilos, most of it {ingredient} and lenses.",
  "Set out at {7..11}:{10..59} in weather that was {weather}, with [a flask|two flasks|no flask, to my shame|oranges] and the old map.",
  "Late start, {10..12}:{10..59}, because of [a missing boot|the cat|a long breakfast|the bus]. It was {weather}.",
  "With [Mateus|Priya|Sinéad|Jonas|Yuki|nobody but myself], from the car park by the [church|bridge|forestry gate|pub].",
  "[Bus|Train|Bicycle|Lift from Leila], then on foot from {place}; {weather} until noon.",
];
const WAY = [
  "Kilometre {1..9} is road, with hedges of [fuchsia|blackthorn|bramble|hawthorn] and {2..30} cars, then a gate and peace.",
  "At the [cairn|trig point|bench|chapel] after {40..170} minutes; the view reached to [Wales|the Mournes|the next wall|Lambay].",
  "Counted {90..900} steps up the [stone stairs|boardwalk|forest ride] and {90..900} down, which cannot be right.",
  "The bridge over the {place} side is closed, so we waded: {2..40} cm, and cold to the [ankle|bone|soul].",
  "Gave {2..9} sheep the right of way and a quad bike with a {bird} on its bonnet as well.",
  "From the {2..9}th stile to the road took {20..75} minutes in weather that was {weather}.",
  "Pace {3.1..5.6} km/h, measured between the [pier|school|sluice|gate lodge] and the [pub|ford|bus stop|lighthouse].",
  "Tried the path that [Dad|the man in the shop|the old map|Oisín] swears by. It ends at a wall after {300..900} metres.",
  "{5..23} kilometres, {60..780} metres of ascent, {2..7} hours with stops.",
  "The path is [dry|a stream|mostly mud|washed out after the bridge|better than last year], and the stile at the top has [lost a step|been mended|a new wire].",
  "We missed the turn at the [ruined cottage|second gate|rowan tree|cattle grid] and gained an hour and a view.",
  "Over the shoulder, then down through [larch|birch|clear-fell|heather] to the water.",
  "On the steep part we spoke of {book} and after it of nothing.",
  "Bog to the [ankle|shin|knee], once, and only mine.",
  "A detour round [a bull|a wedding|forestry work|a sleeping fox] cost {10..50} minutes.",
];
const BIRDS = [
  "{2..60} {birds} on the water, {1..9} in the air, one on the sign that forbids it.",
  "Heard a {bird} at {8..17}:{10..59} and again {10..50} minutes later from the other bank.",
  "First {bird} of the [month|season|week] near kilometre {1..14}; wrote it on my hand.",
  "Mobbing: {3..19} jackdaws against one {bird}, which won by leaving.",
  "{bird}: {1..14}, seen or heard; {bird}: {1..30}; and one call that I could not place and recorded for {20..90} seconds.",
  "A {bird} went up from under our feet and scolded us for a hundred metres.",
  "The {bird} was back on the same post as in spring, I would swear to it.",
  "No {bird} today, where there were always some. I noted the wind, which may explain it.",
  "High over the ridge a {bird}, then two, and between them a long argument.",
];
const LISTENING = [
  "Recorded {2..14} minutes at [the weir|the hide|the old quarry|the reed bed]; the best {20..59} seconds have a {bird} and no aeroplane.",
  "Level on the ridge {38..71} dBA, nearly all of it wind below {100..400} Hz.",
  "A tractor {1..4} kilometres off carries better than the bell of {place} at one.",
  "Clapped under the [railway arch|stone bridge|viaduct]: {0.4..3.1} seconds, with a flutter at the end.",
  "Between {11..15}:{10..59} and the next train there were {3..19} minutes in which nothing had an engine.",
  "Snow-quiet, leaf-quiet and {bird}-quiet are three different things; today was the [first|second|third], {23..35} dBA.",
  "Quietest place: {24..36} dBA behind the [wall|boulder|hut|dune], in a gap between two gusts.",
  "From the top you hear [the motorway|a chainsaw|the ferry|church bells|nothing] at {3..14} kilometres.",
  "The echo of the quarry answers after {0.6..2.8} seconds; we asked it about {dish}.",
  "The stream changes key at the [weir|ford|footbridge], about a third lower.",
];
const END = [
  "Back at the door at {14..20}:{10..59} with {2..9} photographs, {1..4} of them sharp.",
  "Tea: {2..5} cups. Scones: {1..3}. Regret: none.",
  "{2..6} out of five for the path, {2..5} for the company, and the café had {dish}.",
  "Dried the boots on {book}, which did neither any good.",
  "Slept {8..11} hours after it and dreamt of a {bird}.",
  "To bring next time: {ingredient}, dry socks, and the patience for the last {2..6} kilometres.",
  "Soup in [the pub|the café|the car|a doorway], {4..19} euro, and home by {clock}.",
  "Feet [fine|wet|sore on the left|better than my temper]. Would go again [tomorrow|in frost|with poles|without the wind].",
  "On the bus back {piece} in my head, the alto line only.",
  "Sandwich of the day: {ingredient} and cheese, with view.",
  "Lost: [nothing|a button|half a glove|the good pencil]. Found: [a feather|a horseshoe|a marble|somebody's map of 1998].",
];

export function walkDiary(): string {
  const random = createRandom("walk diary");
  const decks = [START, WAY, BIRDS, LISTENING, END].map((table) => createDeck(random, table));
  const parts = ["# Every walk", "", "Kept since New Year 2023, because Dad keeps one and his goes back to 1974.", ""];
  let year = 0;
  let number = 0;
  for (const day of days("2023-01-01", "2026-06-28")) {
    const fact = FACTS[day.date];
    if (isAway(day.date)) continue;
    if (fact === undefined && !random.chance([0.07, 0.06, 0.08, 0.06, 0.1, 0.76, 0.82][day.weekday]!)) continue;
    if (day.year !== year) parts.push(`## ${day.year}`, "");
    year = day.year;
    const walk = capital(random.pick(words.walk));
    const sentences = decks.map((deal) => capital(write(random, deal(), words)));
    sentences.splice(2, 0, capital(write(random, decks[1]!(), words)));
    sentences.splice(4, 0, capital(write(random, decks[random.int(1, 3)]!(), words)));
    sentences.splice(3, 0, capital(write(random, decks[1]!(), words)));
    if (fact !== undefined) sentences.push(`**${fact}**`);
    parts.push(`### ${++number}. ${walk}, ${longDate(day.date)}`, "", sentences.join(" "), "");
  }
  return parts.join("\n");
}
