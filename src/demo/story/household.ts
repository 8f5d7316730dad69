// The household: broken machines, cancelled subscriptions, an allotment.
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

We are sorry to see you go. Your cancellation confirmation is LH-CXL-90412. The last payment of EUR 39.90 is taken on 2 February 2026 and you can train until the end of that month. Please empty locker 61.

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
  ],
  chat: [
    {
      id: "w-allotment-key",
      app: "whatsapp",
      conversation: "mateus",
      at: "2026-03-01 15:40",
      from: "mateus",
      text: "Dug the first bed on plot 23. Found a clay pipe, a 1970 penny and a robin who thinks I work for him.",
    },
  ],
  events: [
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
      id: "t-sofa-refund",
      bank: "canal",
      at: "2025-03-28 07:20",
      amount: 40,
      counterparty: "Hearth & Beam",
      category: "household",
      description: "Refund case C-3119",
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
  ],
  tasks: [
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
};
