// Word lists that fill the slots of many templates.

export const words = {
  dish: [
    "lentil soup", "mushroom risotto", "shakshuka", "fish pie", "potato gratin", "dal with spinach", "leek tart", "bean stew",
    "roast cauliflower", "noodles with greens", "caldo verde", "chickpea curry", "barley salad", "onion soup", "mackerel on toast",
  ],
  ingredient: [
    "coriander", "lemons", "buttermilk", "chickpeas", "a decent loaf", "oat milk", "eggs", "fennel", "tahini", "cream cheese",
    "spring onions", "olive oil", "ginger", "smoked paprika", "brown sugar",
  ],
  bird: [
    "wren", "blackbird", "goldfinch", "robin", "song thrush", "swift", "grey wagtail", "brent goose", "redwing", "chiffchaff",
    "starling", "oystercatcher", "long-tailed tit", "kestrel", "heron", "blackcap", "magpie", "jackdaw", "siskin", "curlew",
  ],
  walk: [
    "Bull Island", "the Howth cliff path", "the Royal Canal", "Phoenix Park", "Glendalough", "Djouce", "the Sugar Loaf",
    "Killiney Hill", "Bray to Greystones", "Ticknock", "the Botanic Gardens", "Dollymount Strand",
  ],
  film: [
    "The Salt Road", "A Quiet Tenant", "Nine Winters", "The Cartographer's Wife", "Low Tide", "Ashes in Cork", "The Understudy",
    "Paper Boats", "The Last Lamplighter", "Two Rooms in Trieste", "Kestrel Summer", "The Borrowed Violin",
  ],
  book: [
    "The Weir Keeper", "Salt and Slate", "A Field Guide to Leaving", "The Glass Parish", "Small Hours, Large Rooms",
    "The Cormorant Year", "An Atlas of Small Sounds", "The Bog Road", "Letters to a Lighthouse", "The Tin Whistle Murders",
    "How Rooms Remember", "The Winter Swimmers", "Grandmother's Ledger", "North of the Rain",
  ],
  weather: [
    "raining sideways", "bright and freezing", "soft and grey", "blowing a gale", "warm for once", "foggy down at the quays",
    "all four seasons before lunch", "clear as a bell",
  ],
  day: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
  clock: ["half five", "six", "half six", "seven", "half seven", "eight"],
  room: [
    "the rehearsal room", "the atrium", "the main hall", "the lecture theatre", "meeting room 2", "the control room",
    "the stairwell", "the plant room", "the canteen", "the gallery", "studio B", "the foyer",
  ],
  project: ["Harbour Hall", "Kilbride School", "Merrion Library", "North Quay", "Lantern Theatre", "Raidió Kilronan"],
  instrument: [
    "the dodecahedron", "the tapping machine", "the sound level meter", "the vibration logger", "the impedance tube",
    "the binaural head", "the power amplifier", "the measurement microphone",
  ],
  band: ["63 Hz", "125 Hz", "250 Hz", "500 Hz", "1 kHz", "2 kHz", "4 kHz"],
  piece: [
    "the Byrd", "the Lauridsen", "the Stanford Magnificat", "the Tallis", "the Bruckner motet", "the Fauré", "the Rachmaninov",
    "the folk set", "the Britten", "the carols", "the Pärt", "the Victoria",
  ],
  shop: ["Fallon's", "the Co-op", "Smithfield Market", "Lilliput", "Hannigan's", "the pharmacy"],
  place: ["Smithfield", "Phibsborough", "the quays", "Capel Street", "Grangegorman", "Rathmines", "the Liberties", "Portobello"],
} satisfies Record<string, readonly string[]>;
