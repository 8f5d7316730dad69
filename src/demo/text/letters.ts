// Letters between Nora and people she likes: she writes first, they reply, and sometimes she thanks them.

export interface LetterTopic {
  subject: string;
  opening: string[];
  middle: string[];
  reply: string[];
}

export const letterTopics: LetterTopic[] = [
  {
    subject: "[News from here|A proper letter|Since you asked]",
    opening: [
      "It is {weather} and I have a pot of tea, so this is a proper letter and not a message.",
      "You asked how we are, and the honest answer needs more than a thumb.",
      "I am on the train, the wifi is a rumour, so I am writing instead of scrolling.",
      "Sunday, {weather}, the cat on my feet: a good hour for writing to you.",
    ],
    middle: [
      "Work is full but kind. I spent two days in {room} listening to nothing, which is harder than it sounds.",
      "I finished {book} and have been walking around with it since. You would like the aunt.",
      "On Sunday we walked {walk} and saw a {bird} so close that we both stopped breathing.",
      "Mateus is teaching himself to bake; the third loaf of {month} could be eaten without tools.",
      "We cooked {dish} for six and it fed four, because I cannot be trusted with quantities.",
      "Choir is on {piece} at the moment. The second altos have four notes and we love all of them.",
      "I saw {film} and argued with everybody about the last scene. I am right.",
      "The balcony has produced {3..19} radishes, each the size of a worry.",
    ],
    reply: [
      "Your letter made my {day}. Here all is well, apart from the [gutter|car|boiler|neighbour's drums].",
      "I read it twice, once aloud. Come soon, the spare bed misses you.",
      "Thank you for this. I have no news, only [jam|gossip|a cold|a new lamp], so I send you that.",
    ],
  },
  {
    subject: "[Weekend of the {3..27}th?|When are you coming?|A visit]",
    opening: [
      "We are trying to find a weekend in {month}. Could you take us in, both of us and one small bag?",
      "Are you around in {month}? There is a cheap train on the Friday and I miss your kitchen.",
      "If I promise to bring {ingredient}, may I come for a weekend in {month}?",
    ],
    middle: [
      "We would arrive late on the Friday, after {clock}, so please do not cook. (Please cook.)",
      "Saturday could be {walk}, if it is not {weather}, and otherwise the couch.",
      "I have to be back on Sunday night, there is a measurement on the Monday.",
      "Tell me what we can bring. The last time you said nothing and then there was no bread.",
    ],
    reply: [
      "Yes, yes, come. The bed is made and {dish} is planned.",
      "The first weekend does not work, [visitors|a christening|the match], but the second is yours.",
      "Of course. Bring boots, and {ingredient}, they have none here.",
    ],
  },
  {
    subject: "[The recipe for {dish}|How did you make the {dish}?|{dish}, again]",
    opening: [
      "Everybody asks about the {dish} from Saturday and I have to admit it was yours.",
      "I tried your {dish} and something went wrong between the second and the third step.",
      "Could you send me the {dish} again? I wrote it on an envelope and posted the envelope.",
    ],
    middle: [
      "How much {ingredient} is a handful, and whose hand?",
      "Mine stood in the oven for {25..70} minutes at {160..220} degrees and was still thinking about it.",
      "I left out the {ingredient} because of Mateus, was that the mistake?",
    ],
    reply: [
      "You have to wait longer than you want to. That is the whole recipe.",
      "More {ingredient}, less stirring, and take the lid off for the last ten minutes.",
      "It was never in the book. I do it by the smell.",
    ],
  },
  {
    subject: "[{book}|What I am reading|You have to read this]",
    opening: [
      "I have just closed {book} and I need somebody to talk to about it.",
      "Put {book} on your pile, near the top.",
      "Book report, because you said you were out of books: {book}.",
    ],
    middle: [
      "It starts slowly, like a boat leaving, and then on page {60..140} you notice that you are out at sea.",
      "The father is our father, down to the cap. I laughed on the bus.",
      "There is a chapter about [silence|bread|a ferry|a winter] that I would have liked to write.",
      "I give it four stars; the fifth is for the ending, which it loses.",
    ],
    reply: [
      "Ordered. If I cry I shall send you the bill.",
      "I am on page {20..90} and I do not trust the doctor.",
      "Finished it at two in the morning. We need to speak about the ferry.",
    ],
  },
];

export const closings = ["Love,", "A hug,", "Write soon,", "Until soon,", "Mind yourself,", "All my love,", "Yours,"];

/** Sentences that friends add to a reply; they fit anybody. */
export const answers = [
  "Here it is {weather}, and has been since {day}.",
  "I have been up to my elbows in {dish} all week, do not ask.",
  "Somebody gave me {book}; I use it to keep the window open, but I shall read it.",
  "I heard a {bird} this morning and thought: she would know its name.",
  "We went to see {film}. Half of us wept, the other half was asleep.",
  "My {day}s belong to nobody at the moment, so ring whenever you like.",
  "The garden, such as it is, consists of {ingredient} and slugs.",
  "I am learning to say no. So far I have said it to a kitten and regretted it.",
  "There is a new café at the corner, with chairs that punish you.",
  "I found a photograph of you on a wall, {weather}, hair everywhere, laughing.",
  "I owe you a visit, a book and an apology, in this order.",
  "The neighbours have a drum now. Come and measure it.",
];

export const thanks = [
  "You are a treasure. More soon, the kettle is on.",
  "Read at the bus stop, laughed, missed the bus. Worth it.",
  "That is settled then, and I am glad.",
  "Good. I shall do exactly what you say and report back on {day}.",
  "I have pinned your mail over the sink, where I think best.",
];
