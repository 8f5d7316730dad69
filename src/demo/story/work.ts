// Work at Pike Acoustics: halls, schools, invoices, people who come and go.
import type { Story } from "./story.ts";

export const work: Story = {
  mail: [
    {
      id: "m-harbour-target",
      account: "work",
      at: "2024-01-23 09:34",
      from: "harbour",
      thread: "th-harbour-brief",
      subject: "Harbour Hall: what we want it to sound like",
      body: `Dear Nora,

The trustees have settled the brief at last. The target is a mid-frequency reverberation time of 1.8 seconds with an audience of 640, background noise below NR 20 with the ventilation on, and nobody in row Q should have to guess the consonants.

The budget for acoustics stands at EUR 48,500 including your fee. The opening concert is on 12 October 2024 and cannot move: the President is booked.

Niamh Costello
Harbour Hall Trust`,
    },
    {
      id: "m-harbour-measured",
      account: "work",
      at: "2024-04-12 18:20",
      from: "nora",
      to: ["harbour"],
      cc: ["grainne", "hana"],
      thread: "th-harbour-results",
      subject: "Harbour Hall: first measurement, and what to do",
      attachments: true,
      body: `Dear Niamh,

We measured the empty hall on Tuesday night, 24 source and receiver pairs. Reverberation is 2.3 seconds at mid frequencies, half a second too long, and the rear wall returns an echo after 140 milliseconds.

We propose 140 square metres of slotted timber absorber on the rear wall and under the gallery. Hana's model predicts 1.85 seconds occupied. The timber can be the same larch as the stage, so that nobody sees what we did.

Kind regards,
Nora Keane`,
    },
    {
      id: "m-harbour-invoice",
      account: "work",
      at: "2024-05-02 11:05",
      from: "ewa",
      to: ["harbour"],
      cc: ["nora"],
      thread: "th-harbour-invoice",
      subject: "Invoice INV-2024-0173, Harbour Hall, stage 2",
      attachments: true,
      body: `Dear Ms Costello,

Please find our invoice INV-2024-0173 for stage 2 (measurement and design), EUR 14,550.00 excluding VAT, payable within 30 days.

Ewa Kowalska
Pike Acoustics`,
    },
    {
      id: "m-harbour-opening",
      account: "work",
      at: "2024-10-13 10:41",
      from: "harbour",
      thread: "th-harbour-opening",
      subject: "Last night",
      body: `Nora,

I stood in row Q for the whole of the slow movement. You can hear the bow change. The oboist cried, and oboists do not cry. Thank you, all of you.

Niamh`,
    },
    {
      id: "m-kilbride-fan",
      account: "work",
      at: "2023-10-05 16:12",
      from: "nora",
      to: ["kilbride"],
      cc: ["oisin"],
      thread: "th-kilbride",
      subject: "Kilbride School: why classroom 7 is tired by noon",
      body: `Dear Brother Aidan,

Thank you for letting us in. The ventilation fan above classroom 7 makes a noise of 41 dB at the teacher's desk, and the recommended limit is 35. Children in the last row lose about one word in six.

The cure is cheap: a flexible coupling of 400 mm on the duct and new rubber feet under the fan, about EUR 380 with fitting. Please do not buy the acoustic panels from the brochure before this is done.

Nora Keane`,
    },
    {
      id: "m-merrion-door",
      account: "work",
      at: "2023-05-18 12:27",
      from: "nora",
      to: ["merrion"],
      thread: "th-merrion",
      subject: "Merrion Library: the reading room door",
      body: `Dear Deirdre,

It is the door, not the wall. The drop seal has worn through over 900 mm and lets the corridor in: 22 dB of isolation where there should be 38. A replacement seal, type RP8 with 12 mm travel, costs EUR 64 and takes a joiner an hour.

The mystery hum at 100 Hz is the light above the atlas case.

Best wishes,
Nora`,
    },
    {
      id: "m-salary",
      account: "work",
      at: "2024-12-09 15:00",
      from: "grainne",
      thread: "th-salary",
      subject: "Your salary from January",
      body: `Dear Nora,

After Harbour Hall this letter was easy to write. From 1 January 2025 your gross salary is EUR 58,400 a year, up from 53,000, and your title is Senior Acoustic Engineer. Annual leave stays at 25 days, of which five may be carried over until 31 March.

You have earned it.
Gráinne`,
    },
    {
      id: "m-calibration",
      account: "work",
      at: "2024-09-30 10:18",
      from: "calibration",
      thread: "th-calibration",
      subject: "Certificate CAL-88213: sound level meter",
      attachments: true,
      body: `Dear Ms Keane,

Your class 1 sound level meter, serial 20417, has been calibrated and found within tolerance at all frequencies. Certificate number CAL-88213. The next calibration is due on 30 September 2025.

We cleaned the windscreen connector, which contained a ladybird.

Meridian Calibration`,
    },
    {
      id: "m-paper-accepted",
      account: "work",
      at: "2024-02-29 14:09",
      from: "soundDays",
      thread: "th-sound-days",
      subject: "Paper 147 accepted: “Hearing the last row”",
      body: `Dear Nora Keane,

We are pleased to accept your paper 147, "Hearing the last row: speech clarity in long rooms", for Nordic Sound Days in Gothenburg, 10 to 12 June 2024. Your talk is on Tuesday at 14:20 in the Kronan room; you have 15 minutes and 5 for questions. Slides as 16:9, please.

The programme committee`,
    },
    {
      id: "m-north-quay-piling",
      account: "work",
      at: "2025-09-16 07:55",
      from: "docklands",
      thread: "th-north-quay-piling",
      subject: "North Quay: piling starts Monday",
      body: `Nora,

The piling rig arrives on Monday 22 September. We work 08:00 to 18:00, never on Sundays. The vibration limit in the permit is 8 mm/s at the warehouse wall; your logger should send me a text at 6.

Stefan Richter
North Quay Developments`,
    },
    {
      id: "m-radio-studio",
      account: "work",
      at: "2026-01-15 11:11",
      from: "studio",
      thread: "th-kilronan",
      subject: "Raidió Kilronan: the studio by the slip",
      body: `A Nora, a chara,

Tá fáilte romhat. The old net store is ours from April. We want one talk studio of 14 square metres and a booth. The ferry horn is at 09:40 and 17:15, the donkeys are not on a timetable. There is EUR 22,000 for everything, glass included.

Bláthnaid`,
    },
    {
      id: "m-hana-leaving",
      account: "work",
      at: "2025-06-05 17:02",
      from: "hana",
      to: ["nora"],
      cc: ["oisin", "raj", "ewa", "grainne"],
      thread: "th-hana",
      subject: "Leaving, but not far",
      body: `Dear all,

My last day is Friday 27 June. I go back to Brno to teach room acoustics at the university, which is what I told my mother I would do when I was nineteen. The model library stays with Nora; the plant stays with whoever promises to talk to it.

Hana`,
    },
    {
      id: "m-pension",
      account: "work",
      at: "2025-01-22 09:15",
      from: "pension",
      thread: "th-pension",
      subject: "Your pension statement: member 30-5521",
      body: `Dear Member,

Member number 30-5521. Your fund was worth EUR 31,286.44 on 31 December 2024. You pay 5 percent, your employer pays 6. At this rate your yearly pension at 66 would be EUR 14,900 in today's money.

Keel Pensions`,
    },
    {
      id: "m-theatre-curtain",
      account: "work",
      at: "2024-11-14 13:36",
      from: "theatre",
      thread: "th-lantern",
      subject: "Lantern Theatre: the curtain you asked about",
      body: `Hi Nora,

House curtain: wool serge, 620 g per square metre, 100 percent fullness, hung 2019. Fire certificate runs out in August 2026. The follow-spot fans are what you hear in the quiet bits, all four of them, and I have asked for money to replace them every year since I came.

Marcus`,
    },
  ],
  chat: [
    {
      id: "s-alarm-code",
      app: "slack",
      conversation: "general",
      at: "2024-08-26 08:31",
      from: "ewa",
      text: "New office alarm code from today: 2209, then the green key. You have 30 seconds from the door. Please do not write it on the door.",
    },
    {
      id: "s-harbour-measured",
      app: "slack",
      conversation: "harbour-hall",
      at: "2024-04-10 09:12",
      from: "raj",
      text: "All 24 pairs are on the drive. Empty hall is 2.3 s at mid frequencies. The rear wall slap is as bad as it looks.",
    },
    {
      id: "s-harbour-model",
      app: "slack",
      conversation: "harbour-hall",
      at: "2024-04-11 16:45",
      from: "hana",
      text: "Model with 140 m² of slotted timber: 1.85 s occupied. With 120 it is 1.93, with 160 we kill the strings. I'd stay at 140.",
    },
    {
      id: "s-laptop",
      app: "slack",
      conversation: "dm-ewa",
      at: "2024-03-04 10:20",
      from: "ewa",
      text: "Your new laptop is here, asset tag PA-0217. Old one back to me by Friday please, with its charger, unlike last time.",
    },
    {
      id: "s-raj-leave",
      app: "slack",
      conversation: "general",
      at: "2025-10-01 09:02",
      from: "raj",
      text: "Twins! Anaya and Kabir, both loud, I measured: 104 dB at 20 cm. I'm on parental leave until 12 January.",
    },
    {
      id: "s-impulse-source",
      app: "slack",
      conversation: "lab",
      at: "2024-06-24 11:37",
      from: "oisin",
      text: "Balloons from the shop on Thomas Street (the 45 cm ones) give the flattest impulse under 250 Hz. The starter pistol is retired, Garda's orders.",
    },
    {
      id: "s-kilbride-result",
      app: "slack",
      conversation: "kilbride-school",
      at: "2023-11-20 15:40",
      from: "oisin",
      text: "After the coupling: 33 dB at the desk in classroom 7. Brother Aidan has invited us to the nativity play.",
    },
    {
      id: "s-vibration-alarm",
      app: "slack",
      conversation: "north-quay",
      at: "2025-10-08 11:14",
      from: "lorcan",
      text: "Logger 3 at North Quay just went over: 6.7 mm/s. Stefan has stopped the rig, it was a buried granite kerb.",
    },
    {
      id: "s-promotion",
      app: "slack",
      conversation: "dm-grainne",
      at: "2024-12-09 15:04",
      from: "grainne",
      text: "Letter is in your mail. Close the door before you read it, Lorcan hears everything.",
    },
    {
      id: "s-bottle-deposit",
      app: "slack",
      conversation: "random",
      at: "2025-06-26 16:58",
      from: "nora",
      text: "Hana's leaving present: the spherical loudspeaker model in walnut, made by Jonas. Collection stands at 215 euro, thank you all.",
    },
  ],
  events: [
    {
      id: "e-harbour-measure",
      calendar: "work",
      title: "Harbour Hall: measurement night",
      start: "2024-04-09 20:00",
      end: "2024-04-10 01:00",
      location: "Harbour Hall, Dún Laoghaire",
      description: "24 pairs, dodecahedron, two balloons to spare. Keys from Niamh.",
      with: ["raj", "hana", "harbour"],
    },
    {
      id: "e-harbour-opening",
      calendar: "work",
      title: "Harbour Hall opening concert",
      start: "2024-10-12 19:30",
      end: "2024-10-12 22:30",
      location: "Harbour Hall, Dún Laoghaire",
      description: "Seats Q11 and Q12, on purpose.",
      with: ["grainne", "hana", "harbour", "mateus"],
    },
    {
      id: "e-sound-days",
      calendar: "work",
      title: "Nordic Sound Days, talk on paper 147",
      start: "2024-06-11 14:20",
      end: "2024-06-11 14:40",
      location: "Kronan room, Gothenburg",
    },
    {
      id: "e-hana-farewell",
      calendar: "work",
      title: "Farewell for Hana",
      start: "2025-06-27 16:00",
      end: "2025-06-27 19:00",
      location: "The Fig Tree, back room",
      with: ["hana", "oisin", "raj", "ewa", "grainne", "lorcan"],
    },
    {
      id: "e-kilronan-visit",
      calendar: "work",
      title: "Site visit Raidió Kilronan",
      start: "2026-04-22 08:30",
      end: "2026-04-23 18:00",
      location: "Inis Mór, the old net store",
      description: "Ferry from Rossaveel 10:30. Measure the horn.",
      with: ["studio", "lorcan"],
    },
  ],
  notes: [
    {
      id: "n-harbour-lessons",
      notebook: "work",
      title: "Harbour Hall: what I would do again",
      at: "2024-10-20 17:00",
      tags: ["harbour-hall"],
      body: `# Harbour Hall: what I would do again

1. Sit in the worst seat for a whole concert before designing anything.
2. Measure at night; the ice machine of the yacht club next door stops at 23:40.
3. Ask who cleans the room. The cleaner knew about the echo, and where.
4. Final result, occupied, opening night: 1.79 s. The target was 1.8. I will never be this close again.`,
    },
    {
      id: "n-gothenburg",
      notebook: "work",
      title: "Notes from Nordic Sound Days",
      at: "2024-06-13 19:20",
      tags: ["conference"],
      body: `# Notes from Nordic Sound Days

- Lindgren: open-plan offices are quieter with carpet tiles of 6 mm than with any screen
- Aalto: children's own noise, the Lombard effect, 4 dB per 10 dB of background
- A man from Tromsø measures churches with a slammed hymn book
- My talk: full room, one hard question about row spacing, answered on the stairs
- Ask Aalto for the classroom data (she offered!)`,
    },
  ],
  entries: [
    {
      id: "j-gothenburg",
      at: "2024-06-11 22:30",
      place: "Gothenburg",
      title: "Gothenburg: fifteen minutes",
      text: "Fifteen minutes are long when the clicker fails on slide two. I described row Q by heart. Afterwards an old man from Uppsala said «tack, det var tydligt», which means thanks, that was clear, and for a paper about speech clarity there is no better review. Light at eleven at night, gulls, cardamom buns.",
    },
    {
      id: "j-inis-mor",
      at: "2026-04-22 21:45",
      place: "Inis Mór",
      title: "Inis Mór: the net store",
      text: "The old net store smells of tar and diesel and has walls a metre thick; half of our isolation was built in 1890. The horn of the ferry is 97 dB at the slip and lands in the booth as a hum at 180 Hz. Lorcan was bitten by a donkey. Bláthnaid says that counts as an induction.",
    },
  ],
  tasks: [
    {
      id: "k-calibrate",
      at: "2025-09-01 09:00",
      project: "work",
      title: "Send the sound level meter for calibration",
      notes: "Certificate CAL-88213 runs out on 30 September.",
      due: "2025-09-26",
      done: "2025-09-19 12:00",
    },
    {
      id: "k-slides",
      at: "2024-05-20 09:00",
      project: "work",
      title: "Slides for Gothenburg, 16:9",
      due: "2024-06-07",
      done: "2024-06-06 23:10",
    },
  ],
};
