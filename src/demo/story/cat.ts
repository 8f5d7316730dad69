// Biscuit the cat: ill in autumn 2024, and on tablets since then.
import type { Story } from "./story.ts";

export const cat: Story = {
  mail: [
    {
      id: "m-vet-diagnosis",
      account: "personal",
      at: "2024-10-17 17:25",
      from: "vet",
      thread: "th-biscuit",
      subject: "Biscuit: blood results and treatment",
      body: `Dear Nora,

As discussed on the phone, Biscuit's total T4 is 98 nmol/L (normal is up to 50), so the weight loss and the shouting at night come from an overactive thyroid. The kidneys look good.

We start Biscuit on the smallest dose of methimazole, 2.5 mg twice a day, morning and evening, with food. Wear gloves or wash your hands after handling the tablets. If he vomits, scratches his face or stops eating, ring us the same day.

Please book a blood test in three weeks.

Dr Fiona Hurley
Phoenix Vets`,
    },
    {
      id: "m-vet-invoice",
      account: "personal",
      at: "2024-10-17 18:02",
      from: "vet",
      thread: "th-biscuit-invoice",
      subject: "Vet invoice PV-3382",
      attachments: true,
      body: `Patient: Biscuit Keane, domestic shorthair, ginger, 12 years

Consultation            EUR  58.00
Blood panel with T4     EUR 164.50
Methimazole 2.5 mg, 60  EUR  42.00
Nail clip               EUR  20.00
Total                   EUR 284.50

Invoice number PV-3382. Please pay within 14 days.`,
    },
    {
      id: "m-pet-claim",
      account: "personal",
      at: "2024-11-06 10:11",
      from: "petcover",
      thread: "th-pet-claim",
      subject: "Your claim PC-77120 has been settled",
      body: `Dear Ms Keane,

We have looked at your claim PC-77120 for Biscuit. The nail clip is not covered and the excess of 25 percent applies. We pay EUR 198.38 into your account this week.

Please note that thyroid disease counts as a known condition from your next renewal.

Shamrock Pet Cover`,
    },
    {
      id: "m-vet-dose-raised",
      account: "personal",
      at: "2025-02-06 16:49",
      from: "vet",
      thread: "th-biscuit",
      subject: "Re: Biscuit: second blood test",
      body: `Dear Nora,

T4 is down to 61 nmol/L: better, not there yet. The evening dose has to be raised: give Biscuit one tablet, then two, that is 2.5 mg in the morning and 5 mg at night. He has put on 300 grams, which is lovely. Next check in May.

Fiona Hurley`,
    },
    {
      id: "m-vaccination-due",
      account: "personal",
      at: "2026-04-14 09:00",
      from: "vet",
      thread: "th-biscuit-vaccination",
      subject: "Biscuit is due his booster",
      body: `Hello Nora,

Biscuit's yearly cat flu and enteritis booster is due by 2 May 2026. Bring the blue card. We also have a new carrier scale, so he can be weighed without leaving his box.

Phoenix Vets`,
    },
  ],
  chat: [
    {
      id: "w-cat-thin",
      app: "whatsapp",
      conversation: "mateus",
      at: "2024-10-13 08:15",
      from: "nora",
      text: "Weighed Biscuit on the kitchen scale: 3.4 kilos. He was 4.6 in spring. And he shouted from three to five.",
    },
    {
      id: "w-cat-thin-2",
      app: "whatsapp",
      conversation: "mateus",
      at: "2024-10-13 08:17",
      from: "mateus",
      text: "I'll ring Phoenix Vets when they open. Don't look things up.",
    },
    {
      id: "w-cat-thin-3",
      app: "whatsapp",
      conversation: "mateus",
      at: "2024-10-13 08:18",
      from: "nora",
      text: "I have looked things up.",
    },
    {
      id: "w-cat-thyroid",
      app: "whatsapp",
      conversation: "keanes",
      at: "2024-10-17 19:20",
      from: "nora",
      text: "Biscuit news: it's his thyroid, and it's treatable. Tablets for life, hidden in cream cheese. He thinks he has won.",
    },
    {
      id: "w-cat-sitting",
      app: "whatsapp",
      conversation: "priya",
      at: "2024-12-20 18:33",
      from: "nora",
      text: "You are a saint. Tablets are in the egg cup by the kettle, one with breakfast and one with dinner, and wash your hands after. Vet's number is on the fridge.",
    },
  ],
  events: [
    {
      id: "e-vet-first",
      calendar: "personal",
      title: "Vet: Biscuit, weight loss",
      start: "2024-10-15 17:30",
      end: "2024-10-15 18:00",
      location: "Phoenix Vets, Infirmary Road",
      with: ["vet"],
      description: "Bring a urine sample if he lets you.",
    },
    {
      id: "e-vet-second",
      calendar: "personal",
      title: "Vet: Biscuit, T4 check",
      start: "2025-02-04 17:30",
      end: "2025-02-04 17:50",
      location: "Phoenix Vets, Infirmary Road",
      with: ["vet"],
    },
    {
      id: "e-vet-booster",
      calendar: "personal",
      title: "Vet: Biscuit, booster",
      start: "2026-04-29 17:15",
      end: "2026-04-29 17:35",
      location: "Phoenix Vets, Infirmary Road",
      with: ["vet"],
    },
  ],
  payments: [
    {
      id: "t-vet-invoice",
      bank: "liffey",
      at: "2024-10-21 08:40",
      amount: -284.5,
      counterparty: "Phoenix Vets",
      category: "pets",
      description: "Invoice PV-3382 Biscuit",
    },
    {
      id: "t-pet-claim",
      bank: "liffey",
      at: "2024-11-08 07:12",
      amount: 198.38,
      counterparty: "Shamrock Pet Cover",
      category: "pets",
      description: "Claim PC-77120",
    },
    {
      id: "t-vet-second",
      bank: "liffey",
      at: "2025-02-04 17:55",
      amount: -112,
      counterparty: "Phoenix Vets",
      category: "pets",
      description: "Blood test T4 Biscuit",
    },
    {
      id: "t-vet-booster",
      bank: "liffey",
      at: "2026-04-29 17:38",
      amount: -64,
      counterparty: "Phoenix Vets",
      category: "pets",
      description: "Booster Biscuit",
    },
  ],
  notes: [
    {
      id: "n-biscuit-card",
      notebook: "home",
      title: "Biscuit the cat: chip, weight, history",
      at: "2024-11-10 11:15",
      tags: ["cat"],
      body: `# Biscuit the cat: chip, weight, history

Microchip number 372 098 100 455 201, registered to my mobile number. Born about May 2012, from the shelter in Ballinasloe. Afraid of the hoover, plums and Cian.

| date | weight |
|---|---|
| April 2024 | 4.6 kg |
| 13 October 2024 | 3.4 kg |
| 7 November 2024 | 3.7 kg |
| 4 February 2025 | 4.0 kg |

Will take tablets in cream cheese, not in tuna. Never in tuna.`,
    },
  ],
  tasks: [
    {
      id: "k-pet-claim",
      at: "2024-10-22 20:15",
      project: "admin",
      title: "Send the vet's invoice to Shamrock Pet Cover",
      due: "2024-10-31",
      done: "2024-10-24 21:00",
    },
  ],
};
