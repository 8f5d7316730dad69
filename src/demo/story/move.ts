// The move from Leinster Road to Manor Street, spring 2025.
import type { Story } from "./story.ts";

export const move: Story = {
  mail: [
    {
      id: "m-notice-question",
      account: "personal",
      at: "2025-01-07 20:41",
      from: "nora",
      to: ["declan"],
      thread: "th-leaving-leinster-road",
      subject: "Leaving Leinster Road",
      body: `Dear Declan,

Mateus and I have found a place on the northside and would like to give up the flat in spring. Could you remind me how much notice you need from us, and whether it has to be on paper?

Thank you for three good years.
Nora`,
    },
    {
      id: "m-landlord-notice",
      account: "personal",
      at: "2025-01-08 10:12",
      from: "declan",
      thread: "th-leaving-leinster-road",
      subject: "Re: Leaving Leinster Road",
      body: `Nora,

Sorry to lose you. As your landlord I go by the book: you have been here between two and four years, so the notice period is 56 days, in writing, signed by both of you. If I have the letter by Sunday 12 January the tenancy ends on Sunday 9 March and you owe no rent after that.

Leave the flat as you found it and you will have the deposit within a fortnight.

Declan Moriarty
Moriarty Lettings`,
    },
    {
      id: "m-lease-manor-street",
      account: "personal",
      at: "2025-01-20 16:30",
      from: "aoife",
      thread: "th-manor-street-lease",
      subject: "Lease for 27 Manor Street, apartment 5",
      attachments: true,
      body: `Dear Nora, dear Mateus,

Here is the lease for apartment 5. The main points, so that nobody has to read eleven pages twice:

- starts 1 March 2025, twelve months, then month to month
- rent EUR 1,850 on the first of the month, heating not included
- deposit one month's rent, EUR 1,850, held with the tenancy board
- one cat allowed, by name: Biscuit
- no subletting, no drilling into the party wall

Please sign the last page and send it back by Friday.

Warm regards,
Aoife Tierney`,
    },
    {
      id: "m-movers-quote",
      account: "personal",
      at: "2025-02-11 09:05",
      from: "movers",
      thread: "th-movers",
      subject: "Your quote: Rathmines to Stoneybatter, Saturday 8 March",
      body: `Howya Nora,

Had a look at the photos. Two men, the big van, five hours: 420 euro all in, piano excluded (you said you have none, we have been told that before).

We start at 9 sharp on Saturday 8 March. Put the cat somewhere else that morning, they hate us.

Quote number TL-0308. Cash or card on the day.

Two Lads and a Van`,
    },
    {
      id: "m-deposit-returned",
      account: "personal",
      at: "2025-03-21 11:48",
      from: "declan",
      thread: "th-deposit-back",
      subject: "Deposit, Leinster Road",
      body: `Nora,

Walked through the flat with my brother. All fine apart from the bedroom blind, which is broken at the cord: I keep back EUR 85 for a new one. The remaining EUR 1,515 of the 1,600 is on its way to your Liffey Bank account.

If you ever need a reference, ask.
Declan`,
    },
    {
      id: "m-meter-reading",
      account: "personal",
      at: "2025-03-10 13:20",
      from: "power",
      thread: "th-power-move",
      subject: "We have closed your account at Leinster Road",
      body: `Dear Ms Keane,

Thank you for your closing electricity meter reading of 48213 kWh, taken on 9 March 2025. Your final bill for Leinster Road is EUR 63.27.

Your new account at Manor Street is BS-7719-04, meter point 10 304 552 871. The opening reading there was 11906 kWh.

Bord Solas Energy`,
    },
    {
      id: "m-broadband-contract",
      account: "personal",
      at: "2025-03-03 15:02",
      from: "canalnet",
      thread: "th-canalnet",
      subject: "Welcome to Canalnet: your contract CN-660184",
      body: `Hello Nora,

Your fibre line at Manor Street goes live on Friday 7 March between 8 and 12; someone must be at home.

Contract number: CN-660184
Speed: 500 Mbit/s down, 50 up
Price: EUR 45.00 a month for 24 months, then EUR 62.00
Cooling-off period: 14 days

The router comes by post. Your Canalnet team`,
    },
    {
      id: "m-post-redirect",
      account: "personal",
      at: "2025-03-05 08:44",
      from: "cityNotes",
      thread: "th-new-neighbourhood",
      subject: "New in Stoneybatter? The short guide",
      body: `Welcome to the neighbourhood.

Black bins go out on Tuesday evening, green bins every second Tuesday. Residents' parking permits are EUR 50 a year and come from the civic office on Wolfe Tone Street. The farmers' market is on Saturday from 9 in the school yard; the good bread is gone by 10.

Northside Notes`,
    },
  ],
  chat: [
    {
      id: "w-flat-viewing",
      app: "whatsapp",
      conversation: "mateus",
      at: "2025-01-05 13:02",
      from: "nora",
      text: "Just out of the viewing on Manor Street. South-facing kitchen, a balcony the size of a towel, and the landlady likes cats. I want it.",
    },
    {
      id: "w-flat-viewing-2",
      app: "whatsapp",
      conversation: "mateus",
      at: "2025-01-05 13:04",
      from: "mateus",
      text: "Then we take it. Ask about the noise from the pub downstairs, you of all people will hear it.",
    },
    {
      id: "w-paint-colour",
      app: "whatsapp",
      conversation: "mateus",
      at: "2025-03-12 18:21",
      from: "nora",
      text: "Living room paint colour is decided: Heron Grey, number 0417, eggshell. Two tins of 2.5 litres from Hannigan's.",
    },
    {
      id: "w-spare-key",
      app: "whatsapp",
      conversation: "priya",
      at: "2025-05-12 20:15",
      from: "nora",
      text: "If you lock yourself out: Mrs Bukowska in apartment 4 has our spare key. Bring her poppy seed cake and you will hear about Gdańsk for an hour.",
    },
    {
      id: "w-guest-wifi",
      app: "whatsapp",
      conversation: "orla",
      at: "2025-07-11 17:48",
      from: "nora",
      text: "For when you land: guest wifi is ManorGuest, password biscuit-sleeps-18h. The good towels are in the blue box.",
    },
    {
      id: "w-door-code",
      app: "whatsapp",
      conversation: "supper-club",
      at: "2025-03-28 18:30",
      from: "nora",
      text: "Housewarming tonight! Street door code is 4471#, second floor, mind the step that isn't there.",
    },
  ],
  events: [
    {
      id: "e-viewing",
      calendar: "personal",
      title: "Flat viewing, 27 Manor Street",
      start: "2025-01-05 12:30",
      end: "2025-01-05 13:00",
      location: "27 Manor Street, Stoneybatter",
      with: ["aoife"],
    },
    {
      id: "e-moving-day",
      calendar: "personal",
      title: "Moving day",
      start: "2025-03-08 09:00",
      end: "2025-03-08 14:00",
      location: "14 Leinster Road to 27 Manor Street",
      description: "Two Lads and a Van at 9, quote TL-0308. Biscuit spends the day at Priya's.",
      with: ["mateus", "jonas"],
    },
    {
      id: "e-fibre",
      calendar: "personal",
      title: "Canalnet technician (be home 8 to 12)",
      start: "2025-03-07 08:00",
      end: "2025-03-07 12:00",
      location: "27 Manor Street",
    },
    {
      id: "e-housewarming",
      calendar: "personal",
      title: "Housewarming at Manor Street",
      start: "2025-03-28 19:00",
      end: "2025-03-28 23:30",
      location: "27 Manor Street, Apt 5",
      with: ["mateus", "priya", "jonas", "sinead", "leila", "yuki"],
    },
  ],
  payments: [
    {
      id: "t-deposit-manor",
      bank: "canal",
      at: "2025-01-24 10:02",
      amount: -1850,
      counterparty: "Aoife Tierney",
      category: "housing",
      description: "Deposit 27 Manor Street apt 5",
    },
    {
      id: "t-movers",
      bank: "canal",
      at: "2025-03-08 14:22",
      amount: -420,
      counterparty: "Two Lads and a Van",
      category: "housing",
      description: "Removal TL-0308",
    },
    {
      id: "t-deposit-back",
      bank: "liffey",
      at: "2025-03-24 07:10",
      amount: 1515,
      counterparty: "Moriarty Lettings",
      category: "housing",
      description: "Deposit Leinster Road less blind",
    },
    {
      id: "t-final-power",
      bank: "liffey",
      at: "2025-03-18 07:05",
      amount: -63.27,
      counterparty: "Bord Solas Energy",
      category: "utilities",
      description: "Final bill Leinster Road",
    },
  ],
  notes: [
    {
      id: "n-flat-handbook",
      notebook: "home",
      title: "Manor Street: how the flat works",
      at: "2025-03-16 10:30",
      tags: ["flat", "wifi", "boiler"],
      body: `# Manor Street: how the flat works

## Internet
Network **HeronHouse**, wifi password \`teal-otter-canyon-58\`. The router lives behind the bookcase; hold the small button for ten seconds if the light is amber.

## Heating
Combi boiler in the hall press. If it shows F22 the pressure is low: open both silver taps under it until the needle stands at 1.4 bar, then close them, left one first.

## Water
Stopcock under the kitchen sink, turns clockwise. The bathroom tap is 20 seconds late.

## Bins
Black on Tuesday evening, green every second Tuesday. The key of the bin shed is on the hook with the red wool.

## Neighbours
Halina Bukowska, apartment 4, has the spare key. The pub stops its music at half past eleven, by agreement with Aoife.`,
    },
    {
      id: "n-moving-boxes",
      notebook: "home",
      title: "What is in which box",
      at: "2025-03-06 22:10",
      tags: ["flat", "boxes"],
      body: `# What is in which box

1. Kitchen, fragile: the blue bowls, Avó Celeste's teapot
2. Kitchen, heavy: cast iron, the mortar
3. Books A to F
4. Books G to M
5. Books N to Z, and the bird atlas
6. Cables and the Wren Box prototypes (do NOT stack)
7. Winter coats, the spare duvet
8. Choir scores, sewing machine pedal
9. Papers: passports, birth certificates, Biscuit's vaccination card
10. Things we will never unpack`,
    },
  ],
  tasks: [
    {
      id: "k-notice-letter",
      at: "2025-01-08 12:00",
      project: "home",
      title: "Post the signed notice letter to Declan",
      notes: "Registered post, keep the slip.",
      due: "2025-01-11",
      done: "2025-01-10 17:30",
    },
    {
      id: "k-book-movers",
      at: "2025-02-09 19:00",
      project: "home",
      title: "Book a van for 8 March",
      due: "2025-02-14",
      done: "2025-02-11 20:00",
    },
    {
      id: "k-redirect-post",
      at: "2025-02-20 09:00",
      project: "home",
      title: "Redirect the post from Leinster Road for twelve months",
      due: "2025-03-01",
      done: "2025-02-27 13:10",
    },
  ],
  orders: [
    {
      id: "ORD-52260",
      at: "2025-03-11 21:14",
      shop: "hearth",
      items: [{ sku: "HB-SOFA-LINNET", name: "Linnet two-seater sofa, moss green", quantity: 1, unit_price: 899 }],
      shipping: 0,
      note: "Deliver to the second floor, no lift.",
    },
  ],
};
