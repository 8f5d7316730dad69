// Work mail: topics with a first message, replies and endings. {project} is chosen once per thread.

export interface WorkTopic {
  subject: string;
  /** The writer of the first message: the client, a colleague, or Nora. */
  starts: "client" | "colleague" | "nora";
  /** How many messages the thread has: 3 if the first writer closes it, 4 if the other person does. */
  length: 3 | 4;
  opening: string[];
  detail: string[];
  reply: string[];
  final: string[];
}

export const workTopics: WorkTopic[] = [
  {
    subject: "{project}: measurement in {room}",
    starts: "client",
    length: 4,
    opening: [
      "Could you measure {room} again before the contractor closes the ceiling? We have the scaffold until {day}.",
      "People complain about {room}. I hear it too but could not say what it is.",
      "Following our call: we would like {room} measured before and after the works.",
    ],
    detail: [
      "The building is open from {7..9} and the alarm goes on at {20..22}.",
      "There is a socket behind the piano and a caretaker called [Noel|Breda|Fintan] behind the socket.",
      "The ventilation runs on a timer; tell me if you need it off and I'll find the man who can.",
      "Access is through the yard, the front door sticks since the rain.",
    ],
    reply: [
      "We can come on {day} at {8..20}:00 with two people; it takes about {2..5} hours. Please have the ventilation off for the first hour and on for the second.",
      "Yes. We will need the room empty and the windows shut, and nobody hoovering next door.",
      "Gladly. I suggest {6..12} receiver positions, so that we see the difference between the front and the back.",
    ],
    final: [
      "Done: {0.6..2.6} seconds at {band}, and {24..41} dBA with the ventilation on. Short report by {day}.",
      "Results attached. The room is better than its reputation; the problem is the {band} band and the bare rear wall.",
      "Confirmed. I'll meet you at the yard door.",
    ],
  },
  {
    subject: "{project}: draft report for review",
    starts: "nora",
    length: 3,
    opening: [
      "The draft report is in the folder, {18..64} pages. Could you read chapters {2..4} and {5..7} with a cold eye?",
      "Here is the draft. I am sure about the numbers and unsure about the order.",
      "Please find the draft; the summary fits on one page, as the client asked.",
    ],
    detail: [
      "Figure {3..19} still has the old colours.",
      "I moved the table of {band} results to the annex, nobody outside this office will miss it.",
      "The uncertainty is {0.1..0.9} dB and I say so on page {4..12}, before anybody asks.",
      "The wording on liability is from last year's template; Gráinne should look at it.",
    ],
    reply: [
      "Read it. Chapter {2..5} repeats itself, otherwise I would sign it. Check the unit in table {2..9}.",
      "Good and clear. One question: was {room} measured with the door open? The decay looks like it.",
      "I'd lead with the recommendation. They read the first page and then the bill.",
    ],
    final: [
      "Changed, thank you. Version {2..6} goes out on {day}.",
      "All in. I kept the sentence you wanted to cut, for morale.",
      "Sent to the client at {11..17}:30.",
    ],
  },
  {
    subject: "{project}: site meeting on {day}, minutes",
    starts: "colleague",
    length: 3,
    opening: [
      "Minutes of the site meeting, {5..12} people, two umbrellas.",
      "Notes from this morning before I forget them.",
    ],
    detail: [
      "1. The door sets for {room} are {2..5} weeks late. 2. The electrician wants to recess sockets back to back; we said no. 3. Next meeting on {day}.",
      "Actions for us: check the lining of {room}, answer the question about {band}, bring samples of the felt.",
      "The architect would like the absorbers to be invisible. The quantity surveyor would like them to be imaginary.",
      "The floor build-up changed again: {10..30} mm less, which costs us {2..6} dB of impact sound.",
    ],
    reply: [
      "Thanks. I'll take the lining and the samples. Who tells the electrician, in writing?",
      "I can answer the {band} question today. Please do not let them close the wall before I have seen it.",
      "On point 2: let us draw it for them. A sketch is worth ten mails.",
    ],
    final: [
      "Sketch is done, it went out with the minutes.",
      "Agreed on the phone, all three points.",
      "Closed. See you at the next one.",
    ],
  },
  {
    subject: "{project}: fee and programme",
    starts: "client",
    length: 3,
    opening: [
      "The board asks for a fee for the next stage, on one page, by {day}.",
      "Could you split your fee into design and site visits? Our accountant likes columns.",
      "We have to move the programme by {2..8} weeks. Does this change your price?",
    ],
    detail: [
      "We expect {3..9} site visits and two rounds of comments.",
      "The rest of the budget has been eaten by [the roof|asbestos|the lift|fire doors], so please be gentle.",
      "A range is fine for now.",
    ],
    reply: [
      "For the stage as described: EUR {2..9},{100..900} excluding VAT, with {3..8} visits included and each further one at EUR {320..480}.",
      "A delay changes nothing as long as we are told two weeks ahead; the loggers are the only thing that costs by the day.",
      "Here it is in columns. I have left the risk in one line, where everybody can see it.",
    ],
    final: [
      "Accepted, with thanks. Order follows by post.",
      "The board said yes in four minutes. Please start.",
      "Noted, we talk on {day}.",
    ],
  },
  {
    subject: "{project}: complaint about noise from {room}",
    starts: "client",
    length: 4,
    opening: [
      "We have a complaint from a neighbour, the third since {month}. She says the noise comes at {clock} and lasts until ten.",
      "A tenant above {room} cannot sleep. Could you tell us whether it is us?",
    ],
    detail: [
      "She kept a diary, which I attach. It is very well written.",
      "Our own people hear nothing, but they go home at five.",
      "The fan was serviced in {month}, which is about when it started.",
    ],
    reply: [
      "I will put a logger in her bedroom for a week, if she allows it. It records levels, not voices.",
      "From the diary I would bet on the [heat pump|extractor|loading bay|lift motor]. We can prove it in one night.",
    ],
    final: [
      "The logger shows {28..44} dBA at night and a clear tone at {band} when the plant starts. She is right.",
      "It is not your plant. It is the bakery's, two doors down, and they are mortified.",
      "New mounts reduced it by {6..14} dB. She has written to thank you.",
    ],
  },
  {
    subject: "[Samples|Test results|Data sheet] for {project}",
    starts: "colleague",
    length: 3,
    opening: [
      "The supplier sent {2..6} samples; I had them in the tube this morning.",
      "Test results are in for the panel you wanted in {room}.",
    ],
    detail: [
      "At {band} we get 0.{30..97}, the brochure says 0.{80..99}.",
      "With a gap of {50..200} mm it becomes quite a different product.",
      "It burns better than it absorbs. I would not.",
      "The perforated one whistles when you blow on it. The children will find out.",
    ],
    reply: [
      "Then we use our own numbers and tell the supplier why.",
      "Good catch. Put it in the library with a remark, please.",
      "Can they make it {20..40} mm thicker? The depth is there.",
    ],
    final: [
      "They can, for {4..19} percent more.",
      "In the library, with photograph.",
      "Ordered for {room}, {12..90} square metres.",
    ],
  },
  {
    subject: "[Lunch talk|Training|Apprentices] on {day}",
    starts: "colleague",
    length: 3,
    opening: [
      "We have a free slot for the lunch talk on {day}. Would you do twenty minutes on {room} of {project}?",
      "Six apprentices come on {day}. Could you show them {instrument} without letting them touch it?",
    ],
    detail: [
      "There will be sandwiches, and questions from Oisín.",
      "Slides are optional, demonstrations are loved.",
      "It is recorded for those on site.",
    ],
    reply: [
      "With pleasure, if I may bring balloons.",
      "I can do {day}, not before twelve.",
      "Yes. I'd call it: what the caretaker already knew.",
    ],
    final: [
      "Booked. The balloons are on Ewa's budget.",
      "Lovely, thank you. It is in the calendar.",
      "It went well; one of them asked about {band}, so there is hope.",
    ],
  },
  {
    subject: "Booking of {instrument}",
    starts: "nora",
    length: 3,
    opening: [
      "I need {instrument} from {day} to {day2} for {project}. Is it free?",
      "Could I swap my booking of {instrument} with yours next week?",
    ],
    detail: [
      "It has to be back by Friday for the {band} test.",
      "I'll bring it back charged, unlike some.",
      "The case with the red label, please.",
    ],
    reply: [
      "It's yours. Check the cable, it has a kink near the plug.",
      "Swap is fine, I only need it on the Thursday.",
      "It is in repair until {day}; take the old one, add {0.2..0.8} dB.",
    ],
    final: ["Thank you, signed out.", "Perfect. I owe you a coffee.", "Back on the shelf, all limbs attached."],
  },
];

export const workOpenings = ["Hi {name},", "Dear {name},", "{name},", "Hello {name},", "Morning {name},"];
export const workClosings = ["Best,", "Kind regards,", "Thanks,", "Talk soon,", "All the best,"];
