// Health and paperwork: teeth, hay fever, a stolen bicycle, a passport, taxes.
import type { Story } from "./story.ts";

export const papers: Story = {
  mail: [
    {
      id: "m-crown",
      account: "personal",
      at: "2024-02-13 16:40",
      from: "dentist",
      thread: "th-crown",
      subject: "Estimate for your crown",
      body: `Dear Nora,

Tooth 36, lower left: the old filling is cracked and a ceramic crown is the lasting answer. Two visits, EUR 780 in total, of which med-tax relief gives you back 20 percent. Until then chew on the right and leave toffees alone.

Dr Conall Reid, your dentist`,
    },
    {
      id: "m-hayfever",
      account: "personal",
      at: "2024-05-14 12:05",
      from: "doctor",
      thread: "th-hayfever",
      subject: "Prescription sent to Phibsborough Pharmacy",
      body: `Dear Nora,

For the hay fever I have prescribed fexofenadine 180 mg, the dose is one of the tablets daily before food, from May until the end of July, and the nasal spray only on bad days. Do not take it with orange or grapefruit juice. Three repeats are on the script.

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

Your new glasses can be collected from Thursday. Your prescription, for your records: right eye −2.25, left eye −1.75, cylinder −0.50 at 10 degrees, pupil distance 61 mm. Next sight test in November 2025.

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
      body: `You have overpaid income tax for 2023 by EUR 412.18. The refund will be paid into the account ending in 7714 within five working days. The statement is in your online inbox.`,
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
      id: "t-glasses",
      bank: "liffey",
      at: "2023-11-30 17:48",
      amount: -219,
      counterparty: "Bright Eyes Opticians",
      category: "health",
      description: "Glasses",
    },
  ],
  notes: [
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
