// The side project: a box on the balcony that listens for birds.
import type { Story } from "./story.ts";

export const wrenBox: Story = {
  mail: [
    {
      id: "m-maker-stand",
      account: "personal",
      at: "2025-05-30 14:00",
      from: "maker",
      thread: "th-maker",
      subject: "Your stand at Dublin Maker Weekend: B17",
      body: `Hi Nora,

You have stand B17, in the big tent, between the woman with the knitting machine and the steam organ (we are sorry). Saturday 19 July 2025, doors at 10, set up from 7:30. One table of 180 cm, two chairs, one socket, 300 W at most.

Please bring a printed risk assessment.

The Dublin Maker team`,
    },
    {
      id: "m-science-grant",
      account: "personal",
      at: "2025-11-20 11:30",
      from: "sciencefund",
      thread: "th-science-grant",
      subject: "Award CSF-2025-118: Wren Box on school roofs",
      attachments: true,
      body: `Dear Ms Keane,

The panel has decided to fund your application CSF-2025-118 with EUR 2,000, for ten listening stations on school roofs in Dublin 7. The money is paid in two halves, the second after a report of at most four pages, due on 30 September 2026.

One reviewer asked us to pass on: "the best sentence about wrens I have read on an official form".

Community Science Fund`,
    },
    {
      id: "m-priya-model",
      account: "personal",
      at: "2025-04-06 22:47",
      from: "priya",
      thread: "th-wren-model",
      subject: "Your blackbirds are starlings",
      body: `Nora,

I went through your confusion matrix on the train. Your blackbirds are starlings in a third of the cases, because starlings imitate. Two ideas: use clips of five seconds instead of three, and raise the high-pass from 200 to 900 Hz so that the buses stop looking like bitterns. With both I get 91.3 percent on your held-out week.

Come to dinner, I will explain the rest with lentils.
Priya`,
    },
    {
      id: "m-sinead-school",
      account: "personal",
      at: "2026-02-03 15:50",
      from: "sinead",
      thread: "th-school-roof",
      subject: "The roof says yes",
      body: `Nora!

The board of management agreed: the first Wren Box goes on the bike shed roof at Stoneybatter National School. Conditions: no recording of voices, a sign the children make themselves, and Mr Geraghty the caretaker holds the ladder. Fourth class has already named it Gerald.

Sinéad`,
    },
  ],
  chat: [
    {
      id: "w-corncrake",
      app: "whatsapp",
      conversation: "wren-box",
      at: "2025-06-02 07:45",
      from: "nora",
      text: "CORNCRAKE. 04:12 this morning, eleven seconds, on the test unit we left with Dad in Ballina. I played it to Mateus through the bathroom door.",
    },
    {
      id: "w-corncrake-2",
      app: "whatsapp",
      conversation: "wren-box",
      at: "2025-06-02 07:52",
      from: "priya",
      text: "Confidence 0.97. That is not a hinge, Nora, that is a corncrake.",
    },
    {
      id: "w-radio-frequency",
      app: "whatsapp",
      conversation: "wren-box",
      at: "2025-09-14 20:31",
      from: "jonas",
      text: "For the school units: the frequency of the radio link is 868.3 MHz, duty cycle under one percent, and keep the antenna 10 cm off the metal roof.",
    },
    {
      id: "w-enclosure",
      app: "whatsapp",
      conversation: "wren-box",
      at: "2025-08-17 13:22",
      from: "jonas",
      text: "Last job before Oslo: twelve enclosures in larch, oiled twice, 140 x 90 x 60 mm. They smell better than any electronics should.",
    },
  ],
  events: [
    {
      id: "e-maker",
      calendar: "personal",
      title: "Dublin Maker Weekend, stand B17",
      start: "2025-07-19 07:30",
      end: "2025-07-19 18:00",
      location: "Leopardstown, big tent",
      description: "Wren Box demo. Risk assessment, extension lead, headphones, the stuffed wren.",
      with: ["priya", "jonas"],
    },
    {
      id: "e-school-install",
      calendar: "personal",
      title: "Install the first school Wren Box (Gerald)",
      start: "2026-03-21 10:00",
      end: "2026-03-21 13:00",
      location: "Stoneybatter National School, bike shed",
      with: ["sinead", "priya"],
    },
  ],
  payments: [
    {
      id: "t-science-grant",
      bank: "liffey",
      at: "2025-12-02 07:00",
      amount: 1000,
      counterparty: "Community Science Fund",
      category: "income",
      description: "CSF-2025-118 first half",
    },
    {
      id: "t-maker-fee",
      bank: "liffey",
      at: "2025-05-31 10:05",
      amount: -45,
      counterparty: "Dublin Maker Weekend",
      category: "leisure",
      description: "Stand B17",
    },
  ],
  notes: [
    {
      id: "n-wren-setup",
      notebook: "wren-box",
      title: "Wren Box: the settings that work",
      at: "2025-04-12 18:05",
      tags: ["electronics", "birds"],
      body: `# Wren Box: the settings that work

- host name \`wrenbox.local\`, user \`wren\`, keys only, no password login
- microphone: I2S, data on pin 18, word select on pin 25, 48 kHz, 24 bits
- clips of five seconds, high-pass at 900 Hz, threshold 0.72
- gain 24 dB; at 30 dB the number 37 bus clips
- two 18650 cells last 31 hours at 10 °C without the radio
- the noise floor on the balcony is 34 dBA at four in the morning`,
    },
    {
      id: "n-wren-budget",
      notebook: "wren-box",
      title: "Cost of one school unit",
      at: "2025-12-07 15:40",
      tags: ["budget"],
      body: `# Cost of one school unit

| part | EUR |
|---|---|
| board | 28.40 |
| microphone pair | 21.30 |
| radio | 9.80 |
| solar panel, 6 W | 18.90 |
| cells and holder | 14.20 |
| larch enclosure (Jonas) | 25.00 |
| screws, glands, gel | 6.15 |
| **one unit** | **123.75** |

Ten units are 1,237.50, which leaves 762.50 for ladders and biscuits.`,
    },
  ],
  orders: [
    {
      id: "ORD-48817",
      at: "2024-11-23 23:08",
      shop: "sparrow",
      items: [
        { sku: "SE-MIC-I2S", name: "I2S MEMS microphone, matched pair", quantity: 2, unit_price: 21.3 },
        { sku: "SE-GLAND-M12", name: "Cable gland M12, IP68", quantity: 6, unit_price: 1.25 },
        { sku: "SE-GEL-50", name: "Silica gel, 50 g", quantity: 3, unit_price: 2.9 },
      ],
      shipping: 5.1,
      note: "For the second Wren Box prototype.",
    },
  ],
  tasks: [
    {
      id: "k-risk-assessment",
      at: "2025-06-20 18:00",
      project: "wren-box",
      title: "Write the risk assessment for Dublin Maker",
      notes: "Hazards: one cable, one steam organ.",
      due: "2025-07-11",
      done: "2025-07-10 22:30",
    },
    {
      id: "k-science-report",
      at: "2026-05-04 20:00",
      project: "wren-box",
      title: "Write the report for the Community Science Fund (four pages)",
      notes: "Award CSF-2025-118, second half is paid after it.",
      due: "2026-09-30",
    },
  ],
};
