// Friends and evenings: a restaurant opens, a choir sings, Jonas leaves.
import type { Story } from "./story.ts";

export const friends: Story = {
  mail: [
    {
      id: "m-concert-tickets",
      account: "personal",
      at: "2025-06-13 10:00",
      from: "tickets",
      thread: "th-paper-lanterns",
      subject: "Your tickets: The Paper Lanterns, 11 October 2025",
      attachments: true,
      body: `Booking 7H2K9P

The Paper Lanterns, Saturday 11 October 2025, doors 19:00, Vicar Lane
Row F, seats 12 and 13
EUR 76.00 including fees

Bring this mail; the app is down more often than not.`,
    },
    {
      id: "m-choir-concert",
      account: "personal",
      at: "2024-11-25 22:12",
      from: "dermot",
      thread: "th-requiem",
      subject: "Fauré: everything you need to know",
      body: `Dear altos, dear everybody else,

Fauré's Requiem, Saturday 14 December 2024, St Werburgh's, 19:30. Call at 17:00, the heating comes on at 16:00 if the sacristan remembers. Long black, no sparkle, folders in the left hand. Pencils. PENCILS.

Second altos: bar 42 of the Offertoire is a B natural. It was a B natural last week too.

Dermot`,
    },
    {
      id: "m-jonas-oslo",
      account: "personal",
      at: "2025-07-01 21:55",
      from: "jonas",
      thread: "th-oslo",
      subject: "So, Oslo",
      body: `Dear Nora and Mateus,

It is settled: I start in the boat museum workshop on 1 September and leave Dublin on Saturday 30 August, with the early ferry and too many planes (the woodworking kind). There is a guest room under the roof with a view of the fjord if you lean.

I have your drill. I will bring it back. I have said so since 2022.

Jonas`,
    },
    {
      id: "m-zaatar-opening",
      account: "personal",
      at: "2024-04-02 13:13",
      from: "leila",
      thread: "th-zaatar",
      subject: "Zaatar & Rye opens on 18 April",
      body: `Habibti,

It is happening. Zaatar & Rye opens on Thursday 18 April at six, 9 Brunswick Street North. Twenty-eight seats, one oven, my grandmother's flatbread. The ceiling is a disaster for talking, you said so yourself when it was a tyre shop; come and tell me what to hang there, I pay in kibbeh.

Leila`,
    },
  ],
  chat: [
    {
      id: "w-coffee-grinder",
      app: "whatsapp",
      conversation: "jonas",
      at: "2024-01-14 10:26",
      from: "nora",
      text: "Coffee grinder settings, for the last time: 14 clicks for the filter, 6 for the moka. At 10 it makes soup.",
    },
    {
      id: "w-drill",
      app: "whatsapp",
      conversation: "jonas",
      at: "2025-10-19 18:07",
      from: "jonas",
      text: "I found your drill. It was in the box with the planes. It has now seen more fjords than you.",
    },
    {
      id: "w-zaatar-ceiling",
      app: "whatsapp",
      conversation: "supper-club",
      at: "2024-04-19 00:12",
      from: "leila",
      text: "Nora stood on a chair, clapped twice at my restaurant ceiling and said: wool felt, 50 mm, eighteen square metres. We are a restaurant now.",
    },
    {
      id: "w-choir-tuning",
      app: "whatsapp",
      conversation: "choir",
      at: "2024-12-14 22:48",
      from: "dermot",
      text: "B natural! Bar 42! All of you! I could have wept. Pints in the Lord Edward.",
    },
    {
      id: "w-priya-job",
      app: "whatsapp",
      conversation: "priya",
      at: "2024-06-18 12:09",
      from: "priya",
      text: "I GOT IT. Marine Institute, from 2 September, six weeks a year on the research vessel. Who minds my tomatoes?",
    },
    {
      id: "w-glove-lug",
      app: "whatsapp",
      conversation: "supper-club",
      at: "2024-02-11 17:30",
      from: "sinead",
      text: "Whoever finds a red mitten on the north side of Lugnaquilla: it is mine, it was a present, and the wind has it.",
    },
  ],
  events: [
    {
      id: "e-requiem",
      calendar: "choir",
      title: "Concert: Fauré, Requiem",
      start: "2024-12-14 19:30",
      end: "2024-12-14 21:30",
      location: "St Werburgh's, Dublin 8",
      description: "Call at 17:00. Long black, folder, pencil.",
      with: ["dermot", "yuki"],
    },
    {
      id: "e-paper-lanterns",
      calendar: "personal",
      title: "The Paper Lanterns",
      start: "2025-10-11 19:00",
      end: "2025-10-11 22:30",
      location: "Vicar Lane, row F 12 and 13",
      description: "Booking 7H2K9P",
      with: ["mateus"],
    },
    {
      id: "e-zaatar-opening",
      calendar: "personal",
      title: "Leila's opening: Zaatar & Rye",
      start: "2024-04-18 18:00",
      end: "2024-04-18 23:30",
      location: "9 Brunswick Street North",
      with: ["leila", "priya", "jonas", "sinead", "mateus"],
    },
    {
      id: "e-jonas-farewell",
      calendar: "personal",
      title: "Farewell supper for Jonas",
      start: "2025-08-29 19:00",
      end: "2025-08-29 23:00",
      location: "Zaatar & Rye",
      with: ["jonas", "leila", "priya", "sinead", "yuki", "mateus"],
    },
  ],
  payments: [
    {
      id: "t-paper-lanterns",
      bank: "liffey",
      at: "2025-06-13 09:59",
      amount: -76,
      counterparty: "Vicar Lane Box Office",
      category: "leisure",
      description: "7H2K9P two tickets",
    },
    {
      id: "t-jonas-farewell",
      bank: "liffey",
      at: "2025-08-29 22:51",
      amount: -71.5,
      counterparty: "Zaatar & Rye",
      category: "dining",
      description: "Card payment, farewell Jonas",
    },
  ],
  notes: [
    {
      id: "n-choir-marks",
      notebook: "choir",
      title: "Alto 2 marks for the Requiem",
      at: "2024-11-26 22:30",
      tags: ["choir", "faure"],
      body: `# Alto 2 marks for the Requiem

Introit: breathe after "Domine", not before. Offertoire: bar 42 B natural, bar 61 wait for Dermot's left hand. Sanctus: we are wallpaper, be good wallpaper. Libera me: count the rests, tenors will not. In Paradisum: smile, it opens the vowel.`,
    },
  ],
  entries: [
    {
      id: "j-lug",
      at: "2024-02-11 21:00",
      place: "Wicklow",
      title: "Lugnaquilla: wind",
      text: "Up from Fenton's in sleet, five of us roped together by stubbornness. On the top you could lean on the wind and it held you. Sinéad's mitten left for Wales. Soup from one flask, five spoons. I measured 86 dB of pure air behind the cairn and nobody was surprised.",
    },
  ],
};
