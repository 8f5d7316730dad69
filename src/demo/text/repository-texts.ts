// The Wren Box repository: issues, changes, comments and releases.

export type Login = "nkeane" | "priya-r" | "jweber";

export interface IssueText {
  number: number;
  title: string;
  by: Login;
  at: string;
  closed?: string;
  body: string;
  labels?: readonly string[];
}

export const issues: readonly IssueText[] = [
  {
    number: 1,
    title: "Hinges are reported as bitterns",
    by: "nkeane",
    at: "2024-11-10 21:00",
    closed: "2025-04-12 18:00",
    body: "The gate of number 25 is a bittern with a probability of 0.8. It is a gate.",
    labels: ["model"],
  },
  {
    number: 3,
    title: "Clock drifts by two minutes a week",
    by: "priya-r",
    at: "2025-01-18 10:30",
    closed: "2025-02-01 12:00",
    body: "Without a network the clock drifts. A dawn chorus at 04:10 cannot be compared with one at 04:12.\n\n- set it over the radio once a day\n- keep the drift in the log",
    labels: ["firmware"],
  },
  {
    number: 6,
    title: "Battery lasts three days, not ten",
    by: "jweber",
    at: "2025-06-28 19:45",
    closed: "2025-09-07 15:00",
    body: "Measured at the tent: 41 mA while it listens. It should sleep when there is nothing to hear, for example in heavy rain.",
    labels: ["firmware", "power"],
  },
  {
    number: 9,
    title: "Write the build instructions",
    by: "nkeane",
    at: "2025-07-20 09:30",
    closed: "2025-10-19 20:00",
    body: "Six hundred people asked. Parts list, drawings of the case, photos of every step.",
    labels: ["docs"],
  },
  {
    number: 12,
    title: "No voices: drop everything below 900 Hz before it is stored",
    by: "nkeane",
    at: "2026-02-04 20:15",
    closed: "2026-02-22 17:30",
    body: "The school asks for it, and it is right. Filter before storing, not after.",
    labels: ["privacy"],
  },
  {
    number: 14,
    title: "Show the day's birds on a small display",
    by: "priya-r",
    at: "2026-03-22 11:05",
    body: "Fourth class wants to see what Gerald heard without a laptop.",
  },
  {
    number: 15,
    title: "Gerald resets when it is colder than two degrees",
    by: "nkeane",
    at: "2026-04-08 07:20",
    closed: "2026-05-02 16:00",
    body: "Three nights in a row, always at the coldest hour. The regulator browns out.",
    labels: ["power"],
  },
  {
    number: 17,
    title: "Report for the fund: numbers per station and week",
    by: "nkeane",
    at: "2026-06-14 18:50",
    body: "A script that writes the table for the report, from all ten stations.",
    labels: ["docs"],
  },
];

export interface ChangeText extends IssueText {
  branch: string;
  merged?: string;
}

export const changes: readonly ChangeText[] = [
  {
    number: 4,
    title: "Set the clock over the radio",
    by: "nkeane",
    at: "2025-01-31 22:10",
    merged: "2025-02-01 12:00",
    body: "Once a day, with the drift in the log.",
    branch: "clock",
  },
  {
    number: 5,
    title: "Use clips of five seconds",
    by: "priya-r",
    at: "2025-04-11 23:05",
    merged: "2025-04-12 18:00",
    body: "Three seconds are too short for a starling to give itself away.",
    branch: "five-seconds",
  },
  {
    number: 7,
    title: "Sleep while it rains",
    by: "nkeane",
    at: "2025-09-06 21:40",
    merged: "2025-09-07 15:00",
    body: "Rain is broadband noise above 6 kHz. The box now naps for ten minutes and listens again.",
    branch: "rain",
  },
  {
    number: 13,
    title: "Filter voices before storing",
    by: "nkeane",
    at: "2026-02-21 20:30",
    merged: "2026-02-22 17:30",
    body: "High-pass in the recorder. There is a test with my own voice in it, filtered.",
    branch: "no-voices",
  },
  {
    number: 16,
    title: "Lower the supply threshold",
    by: "jweber",
    at: "2026-05-01 18:15",
    merged: "2026-05-02 16:00",
    body: "Larger capacitor, lower threshold. Tested in a Norwegian fridge.",
    branch: "cold",
  },
  {
    number: 18,
    title: "Draw the weekly table",
    by: "priya-r",
    at: "2026-06-24 21:55",
    body: "A first version, without the stations that were offline.",
    branch: "report",
  },
];

export const remarks: readonly { on: number; by: Login; at: string; body: string }[] = [
  { on: 1, by: "priya-r", at: "2024-11-11 08:20", body: "To be fair, it is a good bittern." },
  {
    on: 5,
    by: "nkeane",
    at: "2025-04-12 17:50",
    body: "Ran it over the whole of March. Starlings are starlings again. Merging.",
  },
  {
    on: 6,
    by: "nkeane",
    at: "2025-06-28 20:30",
    body: "41 mA is the radio. It answers every ping of the tent's network.",
  },
  { on: 7, by: "jweber", at: "2025-09-07 14:10", body: "Ten days and counting on my balcony." },
  {
    on: 15,
    by: "jweber",
    at: "2026-04-08 19:40",
    body: "Which capacitor did you use? The list says 100 µF, the photo shows a 10.",
  },
  { on: 15, by: "nkeane", at: "2026-04-08 20:02", body: "… a 10. I will be on the roof on Saturday." },
];

export const releases: readonly { tag: string; name: string; at: string; body: string }[] = [
  {
    tag: "v0.2",
    name: "0.2: it knows a starling",
    at: "2025-04-13 10:00",
    body: "- clips of five seconds\n- clock over the radio",
  },
  {
    tag: "v0.3",
    name: "0.3: it sleeps when it rains",
    at: "2025-09-07 16:00",
    body: "- naps in heavy rain\n- ten days on one battery",
  },
  {
    tag: "v0.4",
    name: "0.4: for schools",
    at: "2026-03-15 11:00",
    body: "- voices are never stored\n- build instructions with photos",
  },
];
