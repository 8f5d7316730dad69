// Sentences for ordinary diary days.

export const journalTitles = [
  "A {bird} at the window",
  "{day}, {weather}",
  "After {film}",
  "Rehearsal, {piece}",
  "Small things",
  "The bus and the {bird}",
  "Too much {dish}",
  "On {walk}",
  "Reading {book}",
  "A day in {room}",
  "Nothing in particular",
  "Late light",
];

export const journalOpenings = [
  "It was {weather} from morning on.",
  "I woke before the alarm because a {bird} had things to say.",
  "A slow {day}, the good kind.",
  "A day that began in {room} and ended on the couch.",
  "I meant to write yesterday and fell asleep over {book}.",
  "Mateus says I talk in my sleep about decibels.",
  "The bus broke down at {place} and I walked the rest, which was the best part.",
  "Everybody wanted something today, and most of them got it.",
];

export const journalSentences = [
  "At noon I stood in {room} with my eyes shut and counted the seconds until the clap was gone.",
  "We ate {dish} and argued about whether {film} is a comedy.",
  "In the evening {piece}, over and over, until the basses found their note and kept it.",
  "A child on the tram asked her mother why rain is loud, and the mother looked at me as if she knew.",
  "I bought {ingredient} at the market from the man who calls everyone doctor.",
  "On the way home I heard a {bird} near {place}, three phrases and a pause, three phrases and a pause.",
  "Biscuit watched the washing machine from start to end and was not satisfied with the plot.",
  "Mam rang and we spoke for an hour about a hedge.",
  "I am on page {30..310} of {book} and reading slowly on purpose.",
  "There is a silence after a concert that lasts about two seconds, and I think I do all of this for those.",
  "Mateus brought home a splinter of a ship from 1840 and laid it on the table like a guest.",
  "I mended the blue cardigan at the elbow, visibly.",
  "Nobody answered my mails and by four o'clock that was a kind of holiday.",
  "We walked along {walk} until the path gave up.",
  "I wrote two postcards and forgot the stamps.",
  "A stranger in {place} was whistling in thirds with the traffic light.",
  "The light at nine in the evening lay flat over the roofs and every aerial had a gold side.",
  "I thought about the flat with the yellow dresser, and who hears its stairs now.",
  "Tomorrow {room} again, with {instrument} and a thermos.",
  "I ought to practise. I made tea instead.",
];
