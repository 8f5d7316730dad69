// Weekly newsletters: subject patterns and paragraphs.
import type { PersonKey } from "../people.ts";

export interface Newsletter {
  from: PersonKey;
  /** 0 is Monday. */
  weekday: number;
  hour: number;
  subject: string[];
  opening: string[];
  items: string[];
  closing: string;
}

export const newsletters: Newsletter[] = [
  {
    from: "birdpost",
    weekday: 4,
    hour: 7,
    subject: [
      "Bird Post {issue}: the {bird} is back",
      "Bird Post {issue}: counting the {bird}",
      "Bird Post {issue}: {bird} on {walk}",
    ],
    opening: [
      "A quiet week on the coast and a loud one inland.",
      "The wind turned and everything that has wings turned with it.",
      "Thank you for {90..460} sightings this week, and for two that were garden gnomes.",
    ],
    items: [
      "The first {bird} was seen on {walk} on {day}, a single bird in full voice.",
      "Volunteers counted {12..900} {birds} between dawn and ten o'clock, more than in the same week last year.",
      "Please keep dogs on the lead near {walk}, where a pair of {birds} is nesting.",
      "Reader's question: why does a {bird} sing at night? Street lamps, mostly, and hope.",
      "The ringing group caught a {bird} that was ringed in [Norway|Wales|Senegal|Iceland] {2..9} years ago.",
      "Members' walk on {day} at eight, meeting at the car park of {walk}; bring a flask and a bad memory for rain.",
    ],
    closing: "Keep listening. The Bird Post",
  },
  {
    from: "cityNotes",
    weekday: 2,
    hour: 8,
    subject: ["Northside Notes: [what is on|what is closed|who is digging] in {place}", "Northside Notes, week {week}"],
    opening: [
      "Good morning from a city that is {weather}.",
      "Short this week, because half the desk has a cold.",
      "You wrote in about [the cycle lane|the bins|the seagulls|the new benches], and how.",
    ],
    items: [
      "Roadworks at {place} until {day}: the 37 bus takes the long way round.",
      "The council votes on [the swimming pool|the market hall|the night bus|forty new trees] on {day}.",
      "A new bakery opens at {place}; the queue has opened already.",
      "The library in {place} shows photographs of the street from 1952. Bring your grandmother.",
      "Water pressure may be low around {place} on {day} night between one and five.",
      "Lost and found: a cello bow in {place}, a parrot in Cabra, patience everywhere.",
    ],
    closing: "Northside Notes is written by people who live here.",
  },
  {
    from: "cinema",
    weekday: 3,
    hour: 11,
    subject: ["This week: {film}", "Lighthouse Pictures: {film} and four more", "Last chance for {film}"],
    opening: ["Five films, one screen with the new seats.", "It is {weather}. We have a roof and popcorn."],
    items: [
      "{film}: daily at {clock}, with subtitles on {day}.",
      "{film} continues for a second week, because you told your friends.",
      "Silver screening on {day} at eleven, tea included: {film}.",
      "Talk after {film} on {day} with the [editor|composer|cinematographer|director].",
      "Members get two tickets for one for {film} on {day}.",
    ],
    closing: "See you in the dark. Lighthouse Pictures",
  },
  {
    from: "acousticsToday",
    weekday: 1,
    hour: 6,
    subject: [
      "Room Tone {issue}: [listening to|measuring|arguing about] {room}",
      "Room Tone {issue}: what {band} does to you",
    ],
    opening: [
      "One paper, one room, one complaint, as every week.",
      "This week's letter was written in {room}, which explains its tone.",
    ],
    items: [
      "Paper: a group in [Aachen|Helsinki|Osaka|Lyngby] measured {20..160} classrooms and finds that {band} matters more than we teach.",
      "Room of the week: {room} of a town hall in [Bergen|Ghent|Porto|Graz], {0.7..4.2} seconds and proud of it.",
      "Complaint of the week: a reader's neighbour practises the [tuba|drums|bagpipes|accordion] at {clock}.",
      "Tool: a free script that turns a phone into a passable meter below {70..90} dB.",
      "Job: an office of {4..30} people looks for an engineer who likes ladders.",
    ],
    closing: "Room Tone Weekly",
  },
  {
    from: "farm",
    weekday: 0,
    hour: 16,
    subject: ["Your veg box on {day}: {ingredient}", "In the box: {ingredient} and the weather"],
    opening: ["The fields are {weather}, the van starts again.", "Mud to the axle, but the box is full."],
    items: [
      "In the small box: leeks, carrots, kale, {ingredient}.",
      "In the large box as well: beetroot, a squash of {1..4} kilos and apples from the old orchard.",
      "Recipe: {dish}, with whatever looks saddest in your fridge.",
      "Please leave last week's crate by the door before seven.",
      "The hens are on strike, so there are {4..10} eggs instead of twelve.",
    ],
    closing: "Boyne Valley Veg",
  },
  {
    from: "bookLetter",
    weekday: 5,
    hour: 9,
    subject: ["Reading letter: {book}", "Three books for a weekend that is {weather}", "{book}, and why we sold out"],
    opening: [
      "A customer asked for something blue, {180..420} pages, sad but with food.",
      "We read so that you know what to skip.",
    ],
    items: [
      "{book}: for everyone who has ever had a sister.",
      "{book} is out in paperback, at last small enough for a coat.",
      "Read aloud on {day} at {clock}: a chapter of {book}, with biscuits.",
      "We were wrong about {book}. The second half saves it.",
      'Staff choice: {book}. "I missed my stop twice."',
    ],
    closing: "Pagewind Books, Capel Street",
  },
];
