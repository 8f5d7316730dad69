// Places and merchants that recur across mail, chat, calendar and bank.

export interface Merchant {
  name: string;
  category: string;
  min: number;
  max: number;
}

export const OLD_FLAT = "14 Leinster Road, Rathmines, Dublin 6";
export const NEW_FLAT = "27 Manor Street, Apt 5, Stoneybatter, Dublin 7";
export const MOVING_DAY = "2025-03-08";
export const OFFICE = "Pike Acoustics, 3 Bow Lane, Dublin 8";

export const restaurants: Merchant[] = [
  { name: "Zaatar & Rye", category: "dining", min: 38, max: 74 },
  { name: "The Copper Pot", category: "dining", min: 32, max: 61 },
  { name: "Mulligan's Chowder House", category: "dining", min: 27, max: 49 },
  { name: "Bombay Lane", category: "dining", min: 30, max: 58 },
  { name: "Trattoria Ponte", category: "dining", min: 35, max: 69 },
  { name: "Ramen Kaido", category: "dining", min: 24, max: 44 },
  { name: "The Salted Herring", category: "dining", min: 42, max: 88 },
  { name: "Café Miradouro", category: "dining", min: 18, max: 36 },
  { name: "Slice of Smithfield", category: "dining", min: 19, max: 41 },
  { name: "The Fig Tree", category: "dining", min: 33, max: 66 },
];

export const groceries: Merchant[] = [
  { name: "Fallon's Grocers", category: "groceries", min: 14, max: 62 },
  { name: "Smithfield Market", category: "groceries", min: 9, max: 38 },
  { name: "Daybreak Co-op", category: "groceries", min: 6, max: 27 },
  { name: "Lilliput Bakery", category: "groceries", min: 4, max: 15 },
  { name: "Superquick Phibsborough", category: "groceries", min: 22, max: 94 },
];

export const coffees: Merchant[] = [
  { name: "Third Wave Bow Lane", category: "coffee", min: 3.4, max: 8.2 },
  { name: "Oak & Anchor Coffee", category: "coffee", min: 3.2, max: 9.5 },
  { name: "The Little Cup", category: "coffee", min: 2.9, max: 6.8 },
];

export const transport: Merchant[] = [
  { name: "Leap Top-Up", category: "transport", min: 20, max: 20 },
  { name: "Irish Rail", category: "transport", min: 11, max: 46 },
  { name: "GreenCab", category: "transport", min: 9, max: 31 },
];

export const extras: Merchant[] = [
  { name: "Phibsborough Pharmacy", category: "health", min: 5, max: 34 },
  { name: "Lighthouse Pictures", category: "leisure", min: 12.5, max: 25 },
  { name: "Needle Drop Records", category: "leisure", min: 14, max: 46 },
  { name: "Hannigan Hardware", category: "household", min: 4, max: 58 },
  { name: "Chapters & Verse", category: "books", min: 8, max: 33 },
  { name: "Pawprint Supplies", category: "pets", min: 16, max: 52 },
  { name: "Stoneybatter Stitches", category: "clothing", min: 12, max: 64 },
  { name: "Botanic Nursery", category: "garden", min: 6, max: 39 },
];

const _venues = ["Vicar Lane", "The Button Factory Loft", "Whelan's Yard", "St Werburgh's", "The Cobblestone Room"];

export const walks = [
  "Bull Island",
  "Howth cliff path",
  "the Royal Canal",
  "Phoenix Park",
  "Glendalough",
  "Djouce",
  "the Great Sugar Loaf",
  "Killiney Hill",
  "Bray to Greystones",
  "the Hell Fire Club",
  "Lough Dan",
  "Ticknock",
];
