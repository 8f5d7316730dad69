// Household, health and papers: broken machines, a stolen bicycle, prescriptions, cancelled subscriptions.
import type { Story } from "./story.ts";

export const household: Story = {
  mail: [
    {
      id: "m-gym-cancelled",
      account: "personal",
      at: "2026-01-05 19:22",
      from: "gym",
      thread: "th-gym",
      subject: "Your membership is cancelled",
      body: `Hi Nora,

We are sorry to see you go. Your cancellation is confirmed under LH-CXL-90412. The last payment of EUR 39.90 is taken on 2 February 2026 and you can train until the end of that month. Please empty locker 61.

LiftHouse Gym`,
    },
    {
      id: "m-fresco-cancelled",
      account: "personal",
      at: "2023-09-04 08:18",
      from: "fresco",
      thread: "th-fresco",
      subject: "Your Fresco Box subscription has ended",
      body: `Dear Nora,

As you asked, we have ended your subscription. You told us the reason: "too much plastic around too little parsley". We have passed it on to the parsley department.

You will get no further boxes and no further charges.`,
    },
    {
      id: "m-tuneharbour-price",
      account: "personal",
      at: "2025-03-01 07:00",
      from: "tuneharbour",
      thread: "th-tuneharbour",
      subject: "Your plan is changing",
      body: `Hello,

From 1 April 2025 the price of your Tuneharbour Solo plan changes from EUR 10.99 to EUR 12.99 a month. You need not do anything. If you would rather leave, you can do so until 31 March without notice.`,
    },
    {
      id: "m-crown",
      account: "personal",
      at: "2024-02-13 16:40",
      from: "dentist",
      thread: "th-crown",
      subject: "Estimate for your crown",
      body: `Dear Nora,

Tooth 36, lower left: the old filling is cracked and a ceramic crown is the lasting answer. Two visits, EUR 780 in total, of which med-tax relief gives you back 20 percent. Until then chew on the right and leave toffees alone.

Dr Conall Reid`,
    },
    {
      id: "m-hayfever",
      account: "personal",
      at: "2024-05-14 12:05",
      from: "doctor",
      thread: "th-hayfever",
      subject: "Prescription sent to Phibsborough Pharmacy",
      body: `Dear Nora,

For the hay fever I have prescribed fexofenadine 180 mg, one tablet daily before food, from May until the end of July, and the nasal spray only on bad days. Do not take it with orange or grapefruit juice. Three repeats are on the script.

Dr Amara Osei
Batter Health Centre`,
    },
    {
      id: "m-optician",
      account: "personal",
      at: "2023-11-28 10:50",
      from: "optician",
      thread: "th-glasses",
      subject: "Your glasses are ready",
      body: `Dear Ms Keane,

Your new glasses can be collected from Thursday. For your records: right eye −2.25, left eye −1.75, cylinder −0.50 at 10 degrees, pupil distance 61 mm. Next sight test in November 2025.

Bright Eyes Opticians`,
    },
    {
      id: "m-donor",
      account: "personal",
      at: "2024-03-19 09:10",
      from: "donor",
      thread: "th-donor",
      subject: "Thank you for your donation",
      body: `Dear Nora,

Your donation of 12 March reached two people. Your blood group is O negative, which fits everybody, so we will be in touch more than you might like. You can give again from 11 June 2024. Donor number D-449021.`,
    },
    {
      id: "m-bike-stolen",
      account: "personal",
      at: "2023-11-04 11:25",
      from: "garda",
      thread: "th-bicycle",
      subject: "Report of stolen bicycle, reference 23-118842",
      body: `Dear Ms Keane,

Your report has been recorded under PULSE reference 23-118842. Item: ladies' touring bicycle, dark green, frame number WTU 204 K, taken between 18:00 and 22:30 on 3 November 2023 outside the Stella in Rathmines. Please give the reference to your insurer.

Garda Róisín Hand`,
    },
    {
      id: "m-bike-insurance",
      account: "personal",
      at: "2023-12-01 15:15",
      from: "insurer",
      thread: "th-bicycle-insurance",
      subject: "Bicycle claim HC-20331 settled",
      body: `Dear Ms Keane,

We have settled your claim HC-20331. The bicycle is valued at EUR 640; after the excess of EUR 100 we pay EUR 540.

Harp Insurance`,
    },
    {
      id: "m-passport",
      account: "personal",
      at: "2024-03-11 13:00",
      from: "passport",
      thread: "th-passport",
      subject: "Your passport is on its way",
      body: `Application number 40021877311.

Your passport has been printed and posted. It is valid until 10 March 2034. Your old passport has been cancelled and is returned separately.

Passport Service`,
    },
    {
      id: "m-tax-refund",
      account: "personal",
      at: "2024-04-03 08:02",
      from: "revenue",
      thread: "th-tax-2023",
      subject: "Statement of liability 2023",
      body: `You have overpaid income tax for 2023 by EUR 412.18. The amount will be paid into the account ending in 7714 within five working days. The statement is in your online inbox.`,
    },
    {
      id: "m-washing-machine",
      account: "personal",
      at: "2025-08-06 17:34",
      from: "washfix",
      thread: "th-washing-machine",
      subject: "Job 5540: washing machine, error E18",
      body: `Hi Nora,

E18 on that model means it cannot drain. I found a two-cent coin, a hair clip and what used to be a felt mouse in the pump. Cleaned, tested at 60 degrees, EUR 95 including call-out. Clean the filter (bottom right, quarter turn) every three months.

Job 5540, paid by card, thanks.
WashFix`,
    },
    {
      id: "m-boiler",
      account: "personal",
      at: "2025-10-03 14:14",
      from: "plumber",
      thread: "th-boiler",
      subject: "Boiler service, Manor Street",
      body: `Nora,

Serviced the boiler today, new electrode, expansion vessel pumped up to 1.0 bar cold. She will want a new diverter valve within two winters, about 240 with fitting, ring me before she does. Next service October 2026. 110 for today.

Pat Nolan`,
    },
    {
      id: "m-allotment",
      account: "personal",
      at: "2026-02-24 20:05",
      from: "allotment",
      thread: "th-allotment",
      subject: "Broadstone Allotments: you have come to the top",
      body: `Dear Nora,

After two years and five months you have reached the top of the list. Plot 23 is yours from 1 March: 50 square metres, a water butt, half a shed, and rhubarb of great age. The fee is EUR 60 a year. Gate padlock: 1916, like every padlock in Ireland.

The secretary`,
    },
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
      id: "m-sofa-legs",
      account: "personal",
      at: "2025-03-24 10:33",
      from: "hearth",
      thread: "th-sofa",
      subject: "Re: Order ORD-52260: sofa without legs",
      body: `Dear Nora,

We are mortified. Your Linnet sofa was delivered without its four legs because they travel in a separate bag, which stayed in the van. Case number C-3119. They will be with you on Thursday, and we add a refund of EUR 40 for the week on the floor.

Hearth & Beam`,
    },
    {
      id: "m-library-card",
      account: "personal",
      at: "2025-04-02 09:30",
      from: "library",
      thread: "th-library-card",
      subject: "Your library card",
      body: `Your new card at Cabra Library is active. Number 2 1174 00938, pin as before. You may borrow twelve items for three weeks and renew five times unless somebody waits. There are no fines.`,
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
      id: "w-bike-gone",
      app: "whatsapp",
      conversation: "mateus",
      at: "2023-11-03 22:36",
      from: "nora",
      text: "My bike is gone. Outside the Stella, lock cut clean through. I'm walking home, don't wait with dinner.",
    },
    {
      id: "w-coffee-grinder",
      app: "whatsapp",
      conversation: "jonas",
      at: "2024-01-14 10:26",
      from: "nora",
      text: "Grinder settings, for the last time: 14 clicks for the filter, 6 for the moka. At 10 it makes soup.",
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
      text: "Nora stood on a chair, clapped twice and said: wool felt, 50 mm, eighteen square metres. We are a restaurant now.",
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
      id: "w-allotment-key",
      app: "whatsapp",
      conversation: "mateus",
      at: "2026-03-01 15:40",
      from: "mateus",
      text: "Dug the first bed on plot 23. Found a clay pipe, a 1970 penny and a robin who thinks I work for him.",
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
      id: "e-crown-1",
      calendar: "personal",
      title: "Dentist: crown, first visit",
      start: "2024-02-27 08:30",
      end: "2024-02-27 09:30",
      location: "Reid Dental, Thomas Street",
      with: ["dentist"],
    },
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
    {
      id: "e-boiler",
      calendar: "personal",
      title: "Pat Nolan: boiler service",
      start: "2025-10-03 09:00",
      end: "2025-10-03 10:30",
      location: "27 Manor Street",
      with: ["plumber"],
    },
  ],
  payments: [
    {
      id: "t-crown",
      bank: "liffey",
      at: "2024-03-12 09:35",
      amount: -780,
      counterparty: "Reid Dental",
      category: "health",
      description: "Ceramic crown 36",
    },
    {
      id: "t-bike-insurance",
      bank: "liffey",
      at: "2023-12-05 07:02",
      amount: 540,
      counterparty: "Harp Insurance",
      category: "insurance",
      description: "Claim HC-20331",
    },
    {
      id: "t-tax-refund",
      bank: "liffey",
      at: "2024-04-08 07:00",
      amount: 412.18,
      counterparty: "Revenue Commissioners",
      category: "income",
      description: "Income tax 2023",
    },
    {
      id: "t-washfix",
      bank: "canal",
      at: "2025-08-06 17:30",
      amount: -95,
      counterparty: "WashFix Repairs",
      category: "household",
      description: "Job 5540",
    },
    {
      id: "t-boiler",
      bank: "canal",
      at: "2025-10-03 10:40",
      amount: -110,
      counterparty: "Nolan Plumbing",
      category: "household",
      description: "Boiler service",
    },
    {
      id: "t-allotment",
      bank: "liffey",
      at: "2026-02-26 12:15",
      amount: -60,
      counterparty: "Broadstone Allotments",
      category: "garden",
      description: "Plot 23, 2026",
    },
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
      id: "t-sofa-refund",
      bank: "canal",
      at: "2025-03-28 07:20",
      amount: 40,
      counterparty: "Hearth & Beam",
      category: "household",
      description: "Refund case C-3119",
    },
    {
      id: "t-glasses",
      bank: "liffey",
      at: "2023-11-30 17:48",
      amount: -219,
      counterparty: "Bright Eyes Opticians",
      category: "health",
      description: "Glasses",
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
      id: "n-allotment-plan",
      notebook: "home",
      title: "Plot 23: what goes where",
      at: "2026-03-02 21:10",
      tags: ["garden"],
      body: `# Plot 23: what goes where

North bed: rhubarb stays, nobody touches the rhubarb. Middle: earlies (Colleen), then leeks. South: beans up the old tent poles, sweet pea for Mam. Shed shelf: twine, the good fork, tea.

Sow broad beans now. Potatoes on St Patrick's Day like Dad. Net the brassicas or the pigeons will write you a thank-you note.`,
    },
    {
      id: "n-emergency",
      notebook: "home",
      title: "If something happens",
      at: "2025-04-20 11:00",
      tags: ["papers"],
      body: `# If something happens

- papers: grey folder in box 9, bottom shelf
- my blood group: see the donor card in my purse
- ring Mateus, then Orla (she is calm on the phone)
- contents insurance: Harp, policy HH-7741-220, excess 150
- the cat's vet is Phoenix, the key is with Mrs Bukowska
- please cancel nothing in the first week`,
    },
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
  tasks: [
    {
      id: "k-garda-report",
      at: "2023-11-04 12:00",
      project: "admin",
      title: "Send the Garda reference to Harp Insurance",
      due: "2023-11-10",
      done: "2023-11-06 12:40",
    },
    {
      id: "k-cancel-gym",
      at: "2026-01-02 09:15",
      project: "admin",
      title: "Cancel LiftHouse before the price goes up",
      due: "2026-01-10",
      done: "2026-01-05 19:25",
    },
    {
      id: "k-filter-clean",
      at: "2025-11-06 08:00",
      project: "home",
      title: "Clean the washing machine filter",
      notes: "Bottom right, quarter turn, towel underneath.",
      due: "2025-11-09",
      done: "2025-11-09 11:00",
    },
    {
      id: "k-diverter-valve",
      at: "2025-10-03 15:00",
      project: "home",
      title: "Put 240 aside for the diverter valve",
      due: "2026-10-01",
    },
    {
      id: "k-learn-harp",
      at: "2023-04-02 21:00",
      project: "home",
      title: "Learn the harp",
      notes: "In this flat? With that ceiling?",
      deleted: "2023-05-14 10:00",
    },
  ],
  orders: [
    {
      id: "ORD-41902",
      at: "2023-12-09 12:48",
      shop: "spoke",
      items: [
        { sku: "SC-TOUR-54", name: "Touring bicycle Corncrake 54 cm, slate blue", quantity: 1, unit_price: 745 },
        { sku: "SC-LOCK-U", name: "U-lock, gold rating", quantity: 1, unit_price: 69.9 },
      ],
      shipping: 0,
      note: "Collect in the shop.",
    },
  ],
};
