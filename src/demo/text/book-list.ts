// Books on Nora's shelf: title, author, stars, when she finished it, and what she thought of it. All of them are
// invented.

export type ShelvedBook = readonly [title: string, author: string, stars: number, readOn: string, review?: string];

export const finished: readonly ShelvedBook[] = [
  ["The Quiet Engineer", "Ines Falkenberg", 4, "2023-02-12"],
  [
    "A Field Guide to Small Sounds",
    "Rory Mac Giolla",
    5,
    "2023-04-30",
    "The chapter on hedges alone is worth the price. I have given away three copies.",
  ],
  ["Salt Roads", "Amélie Duarte", 3, "2023-06-18"],
  [
    "What the Rafters Know",
    "Thora Lindgren",
    5,
    "2023-08-05",
    "A novel about a church that is also the best book on reverberation I know.",
  ],
  ["The Third Ferry", "Colm Hanratty", 4, "2023-09-21"],
  ["Nine Letters to a Cartographer", "Wanda Okafor", 2, "2023-11-11", "Eight would have been enough."],
  ["The Beekeeper's Ledger", "Petra Hollis", 3, "2024-01-07"],
  ["Counterpoint for the Tired", "Luis Amaral", 4, "2024-02-25"],
  [
    "Winter Grammar",
    "Sylvie Brandt",
    5,
    "2024-04-13",
    "Read it in one sitting on the train to Ballina and forgot to get off.",
  ],
  ["The Lighthouse Accounts", "Dara Quigg", 3, "2024-05-29"],
  [
    "How Walls Listen",
    "Henrik Aas",
    4,
    "2024-07-14",
    "For work, mostly. The measurements are sound; so are the jokes.",
  ],
  ["The Orchard Keeper's Daughter", "Mina Sato", 4, "2024-09-02"],
  ["Tides for Beginners", "Priscilla Vane", 5, "2024-10-20", "A present from Priya, who then explained each page."],
  ["An Inventory of Rain", "Fergal Ó Sé", 4, "2024-12-28"],
  ["The Understudy's Year", "Carla Menendez", 3, "2025-02-09"],
  ["Moving House: A History", "Odile Marchand", 4, "2025-03-23", "Read between boxes, on a box."],
  [
    "The Tram Drivers",
    "João Pacheco",
    5,
    "2025-05-25",
    "Bought it in Lisbon and read it aloud, badly, to its audience of one.",
  ],
  ["Feather and Wire", "Tamsin Roe", 4, "2025-07-06"],
  ["The Slow Cooker's Almanac", "Bea Whitlock", 2, "2025-08-31"],
  ["Second Altos", "Margit Szabo", 5, "2025-10-05", "At last a novel in which the altos win."],
  ["The Weather Clerk", "Anselm Frey", 3, "2025-11-30"],
  [
    "Letters from a Bell Foundry",
    "Thora Lindgren",
    5,
    "2026-01-18",
    "Not as good as the rafters one. Five stars all the same.",
  ],
  ["The Cat Who Counted", "Pilar Ames", 4, "2026-03-01"],
  ["Small Radios, Long Nights", "Dev Chatterjee", 4, "2026-04-19", "I now know why my antenna was wrong."],
  ["The Guest List", "Nuala Creedon", 3, "2026-06-14"],
];
export const reading: readonly (readonly [title: string, author: string])[] = [
  ["The Listening Hour", "Ines Falkenberg"],
];
export const wanted: readonly (readonly [title: string, author: string])[] = [
  ["A Short History of Echo", "Henrik Aas"],
  ["Marsh Wren, Marsh Light", "Rory Mac Giolla"],
  ["The Glass Harmonica", "Sylvie Brandt"],
];
