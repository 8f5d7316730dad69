// Family: a birth, a seventieth birthday, a knee, a wedding, and things that people lend each other.
import type { Story } from "./story.ts";

export const family: Story = {
  mail: [
    {
      id: "m-brown-bread",
      account: "personal",
      at: "2023-02-26 15:37",
      from: "maeve",
      thread: "th-brown-bread",
      subject: "Gran's brown bread recipe, as promised",
      body: `Nora love,

Here it is before I forget it altogether. 450 g coarse wholemeal, 100 g plain flour, a fistful of oats, a level teaspoon of bread soda and one of salt, 450 ml buttermilk. Mix it with your hand like a claw and stop as soon as it holds. Loaf tin, 200 degrees, fifty minutes, then ten out of the tin upside down.

Gran never weighed anything, so this is me following her around the kitchen in 1979.

Mam`,
    },
    {
      id: "m-finn-born",
      account: "personal",
      at: "2023-09-14 06:55",
      from: "orla",
      thread: "th-finn",
      subject: "Finn is here",
      body: `He came at 03:21, birth weight 3,410 grams, 52 cm, with Dad's ears. Everybody is well. I have eaten an entire cake. His name is Finn Tomás and he has already been photographed more than I was in my life.

Ring me after four.
Orla`,
    },
    {
      id: "m-orla-address",
      account: "personal",
      at: "2024-02-04 19:26",
      from: "orla",
      thread: "th-orla-address",
      subject: "Our new address",
      body: `For the Christmas cards and the emergency Barry's deliveries:

Orla Keane
Sanderstraße 19, rear house, third floor left
12047 Berlin

The bell says "Keane / Brandt". The parcel shop is the Späti at the corner, ask for Ümit.

x O`,
    },
    {
      id: "m-dad-seventy",
      account: "personal",
      at: "2024-07-02 21:10",
      from: "maeve",
      cc: ["orla", "cian"],
      thread: "th-dad-seventy",
      subject: "Your father's seventieth, the plan",
      body: `Now. Saturday 24 August, Kilmore House outside Ballina, from three o'clock. Forty-two people if the Sligo crowd come. He thinks it is a retirement do for Father Gerry.

Nora: music. Orla: photographs from the blue album. Cian: get him there without telling him.
The cake is lemon. No hazelnuts in anything, because of Uncle Páraic.

Mam`,
    },
    {
      id: "m-mum-knee",
      account: "personal",
      at: "2025-10-21 09:30",
      from: "hospital",
      thread: "th-knee",
      subject: "Admission of Maeve Keane on 4 November 2025",
      body: `Dear Ms Keane,

You are named as contact person. Mrs Maeve Keane will be admitted for an operation, a replacement of the left knee, on Tuesday 4 November 2025 at 07:00, St Brendan's Hospital, ward 3B. Visiting hours are 14:00 to 16:00 and 18:30 to 20:00. She should fast from midnight and bring her blood pressure tablets in their box.

Expected stay: four nights.`,
    },
    {
      id: "m-wedding-invitation",
      account: "personal",
      at: "2025-09-07 18:00",
      from: "cian",
      to: ["nora", "mateus"],
      thread: "th-wedding",
      subject: "We're doing it: 20 June 2026",
      body: `Nora, Mateus,

Saoirse and I are getting married on Saturday 20 June 2026, two o'clock, in the Claddagh church, and then the boat yard if it's dry and the Salthill Strand if it isn't. You're doing a reading, Nora, and Mateus is in charge of the old people.

No presents except the brown bread.
Cian`,
    },
    {
      id: "m-wedding-hotel",
      account: "personal",
      at: "2026-01-28 12:44",
      from: "weddingHotel",
      thread: "th-wedding-hotel",
      subject: "Your room for the Keane and Lally wedding",
      body: `Dear Ms Keane,

We hold a double room for you from 19 to 21 June 2026 at the wedding rate of EUR 128 a night. Please quote the code KEANE26 when you confirm, before 30 April. Breakfast is served until 11 on the Sunday, in view of everything.

Salthill Strand Hotel`,
    },
    {
      id: "m-cian-loan",
      account: "personal",
      at: "2024-09-03 22:15",
      from: "cian",
      thread: "th-cian-loan",
      subject: "A favour",
      body: `Nora,

The outboard is dead and the season has five weeks in it. Could you lend me 600 until Christmas? I'd ask the folks but then I'd have to explain the outboard.

C`,
    },
  ],
  chat: [
    {
      id: "w-dad-surprise",
      app: "whatsapp",
      conversation: "keanes",
      at: "2024-08-24 15:20",
      from: "cian",
      text: "He's in the car. He's wearing the good jacket. He suspects Father Gerry of something.",
    },
    {
      id: "w-dad-speech",
      app: "whatsapp",
      conversation: "keanes",
      at: "2024-08-25 11:02",
      from: "tomas",
      text: "I am seventy and I have never been so well lied to. Thank you all. Who has my cap",
    },
    {
      id: "w-mum-knee",
      app: "whatsapp",
      conversation: "keanes",
      at: "2025-11-04 13:40",
      from: "tomas",
      text: "Out of theatre, all well. She has asked for tea and corrected the anaesthetist's grammar.",
    },
    {
      id: "w-mum-crutches",
      app: "whatsapp",
      conversation: "mum",
      at: "2025-11-16 17:12",
      from: "maeve",
      text: "The physio says 90 degrees by Christmas. I am at 72. I do the stairs good leg to heaven, bad leg to hell.",
    },
    {
      id: "w-loan-back",
      app: "whatsapp",
      conversation: "keanes",
      at: "2024-12-21 12:30",
      from: "cian",
      text: "Nora: check your account. And thank you. The outboard says thank you too.",
    },
    {
      id: "w-wedding-reading",
      app: "whatsapp",
      conversation: "keanes",
      at: "2026-05-17 20:45",
      from: "saoirse",
      text: "Nora, the wedding reading is the Heaney poem about the kite, not the otter. Cian will cry at the otter.",
    },
    {
      id: "w-wedding-rain",
      app: "whatsapp",
      conversation: "keanes",
      at: "2026-06-20 11:58",
      from: "cian",
      text: "Dry. Boat yard it is. I have lost one cufflink and the will to eat.",
    },
    {
      id: "w-christmas-gifts",
      app: "whatsapp",
      conversation: "mateus",
      at: "2025-12-07 17:22",
      from: "nora",
      text: "Christmas presents, the list: Mam the heated blanket, Dad the head torch, Orla the blue bowls, Finn the wooden crane, Cian and Saoirse the weekend in Westport.",
    },
  ],
  events: [
    {
      id: "e-dad-seventy",
      calendar: "personal",
      title: "Dad's 70th (he doesn't know)",
      start: "2024-08-24 15:00",
      end: "2024-08-24 23:30",
      location: "Kilmore House, Ballina",
      description: "42 guests, lemon cake, no hazelnuts.",
      with: ["maeve", "tomas", "orla", "cian", "mateus"],
    },
    {
      id: "e-mum-knee",
      calendar: "personal",
      title: "Mam's knee operation",
      start: "2025-11-04 07:00",
      end: "2025-11-04 12:00",
      location: "St Brendan's Hospital, ward 3B",
      with: ["maeve", "tomas"],
    },
    {
      id: "e-wedding",
      calendar: "personal",
      title: "Cian and Saoirse's wedding",
      start: "2026-06-20 14:00",
      end: "2026-06-21 02:00",
      location: "Claddagh church, Galway",
      description: "Reading at the second hymn. Hotel code KEANE26.",
      with: ["cian", "saoirse", "mateus", "maeve", "tomas", "orla"],
    },
    {
      id: "e-berlin",
      calendar: "personal",
      title: "Berlin: meet Finn",
      start: "2023-10-20 08:00",
      end: "2023-10-23 22:00",
      location: "Orla's, Berlin",
      with: ["orla"],
    },
  ],
  payments: [
    {
      id: "t-cian-loan",
      bank: "liffey",
      at: "2024-09-04 08:10",
      amount: -600,
      counterparty: "Cian Keane",
      category: "family",
      description: "Outboard",
    },
    {
      id: "t-cian-loan-back",
      bank: "liffey",
      at: "2024-12-21 12:05",
      amount: 600,
      counterparty: "Cian Keane",
      category: "family",
      description: "Outboard, with love",
    },
    {
      id: "t-wedding-hotel",
      bank: "canal",
      at: "2026-06-21 11:20",
      amount: -256,
      counterparty: "Salthill Strand Hotel",
      category: "travel",
      description: "Two nights KEANE26",
    },
    {
      id: "t-kilmore",
      bank: "liffey",
      at: "2024-08-25 10:15",
      amount: -340,
      counterparty: "Kilmore House",
      category: "family",
      description: "Share of Dad's party",
    },
  ],
  notes: [
    {
      id: "n-wedding-speech",
      notebook: "home",
      title: "Words for Cian and Saoirse",
      at: "2026-06-14 22:00",
      tags: ["wedding"],
      body: `# Words for Cian and Saoirse

My brother once rowed home from Mutton Island without noticing that the anchor was down. It took him three hours and he said the sea was heavy that day.

Saoirse, you are the first person who told him about the anchor.

(Pause. Look at Dad.)

May you always have someone in the boat who looks behind.`,
    },
    {
      id: "n-dad-playlist",
      notebook: "home",
      title: "Music for Dad's party",
      at: "2024-08-11 20:30",
      tags: ["family", "music"],
      body: `# Music for Dad's party

Nothing after 1985, he says. Waltzes for the aunts at five; the Clancy record while the cake comes; the forestry song at the end, all four verses, Uncle Páraic knows the third. PA from the parish hall, collect on Friday, the left speaker needs a thump.`,
    },
  ],
  entries: [
    {
      id: "j-berlin-finn",
      at: "2023-10-21 23:20",
      place: "Berlin",
      title: "Berlin: five weeks old",
      text: "Finn weighs as much as Biscuit and has the same opinion of strangers. I held him for two hours by the tiled stove while Orla slept. He hiccups at about 4 Hz. In the courtyard a blackbird, in October, practising quietly. „Subsong“ heißt das auf Deutsch auch, sagt der Nachbar.",
    },
    {
      id: "j-wedding",
      at: "2026-06-21 12:40",
      place: "Galway",
      title: "Galway: the boat yard",
      text: "Two hulls for walls and a sail for a roof. Saoirse played her own wedding march on the concertina because the fiddler missed the bus. I read the kite poem without looking at Cian. Mam danced, on the new knee, one careful waltz with Dad, and the whole yard went quiet and counted with her.",
    },
  ],
  tasks: [
    {
      id: "k-blue-album",
      at: "2024-07-03 08:30",
      project: "family",
      title: "Ask Orla to scan the blue album",
      due: "2024-08-01",
      done: "2024-07-28 10:00",
    },
    {
      id: "k-wedding-shoes",
      at: "2026-05-10 12:00",
      project: "family",
      title: "Resole the green shoes before the wedding",
      due: "2026-06-12",
      done: "2026-06-08 17:20",
    },
    {
      id: "k-confirm-room",
      at: "2026-02-01 10:00",
      project: "family",
      title: "Confirm the room at the Salthill Strand before 30 April",
      due: "2026-04-30",
      done: "2026-04-11 09:45",
    },
  ],
};
