// Five days in Lisbon for Avó Celeste's eightieth birthday, May 2025.
import type { Story } from "./story.ts";

export const lisbon: Story = {
  mail: [
    {
      id: "m-lisbon-flight",
      account: "personal",
      at: "2025-02-18 21:32",
      from: "atlantica",
      thread: "th-lisbon-flight",
      subject: "Your flight QX7LRM: Dublin to Lisbon, 15 May 2025",
      attachments: true,
      body: `Thank you for flying Atlantica Air.

Booking reference (locator): QX7LRM
Passengers: KEANE/NORA MS, FERREIRA/MATEUS MR

Outbound  Thu 15 May 2025  AT 614  Dublin T1 06:45 – Lisbon T1 09:35
Return    Tue 20 May 2025  AT 617  Lisbon T1 21:10 – Dublin T1 23:55

One cabin bag of 8 kg each, one checked bag of 20 kg together. Seats 17A and 17B.
Total paid: EUR 347.60

Online check-in opens 48 hours before departure.`,
    },
    {
      id: "m-lisbon-hotel",
      account: "personal",
      at: "2025-02-20 12:15",
      from: "pensao",
      thread: "th-lisbon-hotel",
      subject: "Hotel reservation LG-20931 in Lisbon confirmed",
      body: `Dear Ms Keane,

We are happy to confirm your room with a view of the river, five nights from 15 to 20 May 2025, breakfast included, at EUR 512.00 in total. Reservation number LG-20931.

We are at Rua da Graça 48. From the airport take the metro to Intendente and then tram 28 uphill; please do not take the tram with suitcases, the drivers sigh.

The night door closes at 1 o'clock. Ring twice for Senhor Baptista.

Com os melhores cumprimentos,
Pensão Graça Nova`,
    },
    {
      id: "m-travel-insurance",
      account: "personal",
      at: "2025-02-21 09:40",
      from: "insurer",
      thread: "th-travel-insurance",
      subject: "Travel insurance certificate TI-5528-0937",
      attachments: true,
      body: `Dear Ms Keane,

Your annual multi-trip cover for two adults starts today. Policy number TI-5528-0937. Emergency line, day and night: +353 1 555 0333. Excess per claim: EUR 75. Winter sports are not covered.

Harp Insurance`,
    },
    {
      id: "m-lost-scarf",
      account: "personal",
      at: "2025-05-23 10:20",
      from: "pensao",
      thread: "th-lisbon-hotel",
      subject: "Re: A yellow scarf",
      body: `Dear Ms Keane,

Good news: the driver of tram 28 handed in a yellow wool scarf at the Graça depot and my nephew works there. We post it to Dublin on Monday. You owe us nothing; bring us some of that black tea next time.

Senhor Baptista`,
    },
  ],
  chat: [
    {
      id: "w-celeste-invites",
      app: "whatsapp",
      conversation: "mateus",
      at: "2025-02-16 19:11",
      from: "mateus",
      text: "Avó rang. She turns 80 on 17 May and says if we don't come she will not turn 80.",
    },
    {
      id: "w-celeste-invites-2",
      app: "whatsapp",
      conversation: "mateus",
      at: "2025-02-16 19:13",
      from: "nora",
      text: "Then Lisbon it is. I'll look for flights around the 15th.",
    },
    {
      id: "w-barco-azul",
      app: "whatsapp",
      conversation: "mateus",
      at: "2025-05-10 21:40",
      from: "mateus",
      text: "Table for eleven at O Barco Azul in Alfama, Saturday the 17th at 20:00, under my uncle Rui's name. Avó wants the cuttlefish.",
    },
    {
      id: "w-cat-lisbon",
      app: "whatsapp",
      conversation: "priya",
      at: "2025-05-14 19:58",
      from: "nora",
      text: "Biscuit notes for Lisbon week: wet food at 7 and 18, tablet hidden in the cream cheese, litter on the balcony. He will lie to you about having been fed.",
    },
    {
      id: "w-scarf-lost",
      app: "whatsapp",
      conversation: "mateus",
      at: "2025-05-19 16:05",
      from: "nora",
      text: "I left the yellow scarf on tram 28. The one your mother knitted. Don't tell her.",
    },
    {
      id: "w-lisbon-photo",
      app: "whatsapp",
      conversation: "keanes",
      at: "2025-05-17 23:31",
      from: "nora",
      text: "Avó Celeste danced with three waiters and blew out all eighty candles in one go. We are very full of cuttlefish.",
    },
  ],
  events: [
    {
      id: "e-flight-out",
      calendar: "personal",
      title: "Flight AT 614 Dublin to Lisbon",
      start: "2025-05-15 06:45",
      end: "2025-05-15 09:35",
      location: "Dublin Airport T1",
      description: "Locator QX7LRM, seats 17A and 17B. Taxi at 04:30.",
      with: ["mateus"],
    },
    {
      id: "e-flight-back",
      calendar: "personal",
      title: "Flight AT 617 Lisbon to Dublin",
      start: "2025-05-20 21:10",
      end: "2025-05-20 23:55",
      location: "Lisbon Airport T1",
      description: "Locator QX7LRM.",
      with: ["mateus"],
    },
    {
      id: "e-celeste-80",
      calendar: "personal",
      title: "Avó Celeste's 80th, O Barco Azul",
      start: "2025-05-17 20:00",
      end: "2025-05-17 23:30",
      location: "O Barco Azul, Rua dos Remédios, Alfama, Lisbon",
      description:
        "Restaurant table for eleven, under Rui Ferreira. Birthday present: the restored photograph of the boat.",
      with: ["mateus", "celeste"],
    },
  ],
  payments: [
    {
      id: "t-flight",
      bank: "liffey",
      at: "2025-02-18 21:31",
      amount: -347.6,
      counterparty: "Atlantica Air",
      category: "travel",
      description: "Booking QX7LRM DUB-LIS-DUB",
    },
    {
      id: "t-hotel",
      bank: "canal",
      at: "2025-05-20 10:14",
      amount: -512,
      counterparty: "Pensão Graça Nova",
      category: "travel",
      description: "Reservation LG-20931, five nights",
    },
    {
      id: "t-barco-azul",
      bank: "liffey",
      at: "2025-05-17 23:12",
      amount: -186.4,
      counterparty: "O Barco Azul",
      category: "dining",
      description: "Card payment Lisboa, dinner",
    },
    {
      id: "t-azulejo-museum",
      bank: "liffey",
      at: "2025-05-16 11:20",
      amount: -16,
      counterparty: "Museu Nacional do Azulejo",
      category: "travel",
      description: "Two tickets",
    },
    {
      id: "t-insurance-travel",
      bank: "liffey",
      at: "2025-02-21 09:41",
      amount: -68,
      counterparty: "Harp Insurance",
      category: "insurance",
      description: "Travel policy TI-5528-0937",
    },
  ],
  notes: [
    {
      id: "n-arroz-doce",
      notebook: "recipes",
      title: "Recipe: Avó Celeste's arroz doce",
      at: "2025-05-24 16:20",
      tags: ["dessert", "lisbon"],
      body: `# Recipe: Avó Celeste's arroz doce

She measures with a cracked blue cup, which I weighed when she looked away.

- 180 g short-grain rice
- 350 ml water, a pinch of salt, two strips of lemon peel
- 1 litre whole milk, hot
- 160 g sugar, last, never first
- 3 egg yolks
- cinnamon, drawn in a lattice with the fingertips

Boil the rice in the water with peel until the water is gone. Add the milk ladle by ladle for forty minutes and do not leave, "not even if the house burns". Sugar, five minutes. Off the heat, the yolks, stirring like mad. Flat dishes, not bowls.`,
    },
    {
      id: "n-packing-lisbon",
      notebook: "home",
      title: "Packing list, Lisbon",
      at: "2025-05-13 21:00",
      tags: ["travel"],
      body: `# Packing list, Lisbon

Passports (box 9!), European health cards, the framed photograph between two pullovers, the small recorder and windshield for the swifts, flat shoes for the hills, one dress for the birthday, Barry's tea for Senhor Baptista, antihistamines, charger, the yellow scarf for the evenings.`,
    },
  ],
  entries: [
    {
      id: "j-lisbon-1",
      at: "2025-05-15 22:40",
      place: "Lisbon",
      title: "Lisbon, day one: swifts",
      text: "Up at four, a taxi through empty streets, locator QX7LRM typed into the machine with one eye open. Seat 17A, the coast of Galicia under a lid of cloud. By eleven we stood on the miradouro in Graça with pastéis de nata, and hundreds of swifts screamed round the church tower. I recorded six minutes at 96 kHz. Mateus became two years younger with every street; by the time his grandmother opened the door he was eight.",
    },
    {
      id: "j-lisbon-2",
      at: "2025-05-16 23:05",
      place: "Lisbon",
      title: "Lisbon, day two: tiles",
      text: "The tile museum has a panorama of the city from before the earthquake, twenty-three metres of blue. I looked for our street and found it: three houses, a goat. In the cloister the echo is 2.9 seconds, by clapping and counting, which made a guard look up. Grilled sardines on the steps. «Obrigada», I said, and was understood.",
    },
    {
      id: "j-lisbon-3",
      at: "2025-05-18 01:10",
      place: "Lisbon",
      title: "Lisbon, day three: eighty candles",
      text: "O Barco Azul, a table for eleven. Avó Celeste in emerald green. She put us in an order that took ten minutes and followed rules only she knew. When she unwrapped the photograph of her father's boat, the Estrela do Tejo, cleaned and printed large, she said nothing at all, then put her hand flat on the glass. Saudade has no translation; it has a hand.",
    },
    {
      id: "j-lisbon-4",
      at: "2025-05-19 22:15",
      place: "Lisbon",
      title: "Lisbon, day five: a scarf too few",
      text: "Tram 28 with half the world on board, my scarf stayed on it. Fado in a cellar with a reverberation that no engineer would sign and nobody would change. Tomorrow the late flight. Mateus has packed eleven oranges from the uncle's garden and will not be reasoned with.",
    },
  ],
  tasks: [
    {
      id: "k-check-in",
      at: "2025-05-12 08:00",
      project: "admin",
      title: "Check in for AT 614 (opens 13 May, 06:45)",
      due: "2025-05-13",
      done: "2025-05-13 07:02",
    },
    {
      id: "k-photo-frame",
      at: "2025-04-22 19:30",
      project: "family",
      title: "Collect the framed photograph of the Estrela do Tejo",
      notes: "Frame shop on Capel Street closes at 17:30.",
      due: "2025-05-10",
      done: "2025-05-09 17:05",
    },
  ],
};
