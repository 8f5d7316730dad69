// Invented musicians, their records and tracks.

export interface Artist {
  name: string;
  genre: string;
  albums: Record<string, string[]>;
}

export const devices = ["headphones", "kitchen", "living room", "car"];

export const artists: Artist[] = [
  {
    name: "The Paper Lanterns",
    genre: "indie",
    albums: {
      "Lit from Inside": ["Kerosene", "Window Seat", "Moth Weather", "Lit from Inside", "Tallow"],
      "Small Fires": ["Small Fires", "Matchbox", "The Long Way to Sligo", "Ember Street"],
    },
  },
  {
    name: "Aoibhín Rua",
    genre: "folk",
    albums: {
      "The Tide Book": ["Spring Tide", "Neap", "The Pilot's Daughter", "Slack Water"],
      Hearthstone: ["Turf", "The Settle Bed", "Rake the Ashes"],
    },
  },
  {
    name: "Trio Alvorada",
    genre: "jazz",
    albums: { "Rua da Graça": ["Elevador", "Tram 28", "Miradouro", "Azulejo"], Marés: ["Baixa-mar", "Preia-mar"] },
  },
  {
    name: "Marta Sobral",
    genre: "fado",
    albums: { "Voz de Alfama": ["Barco Negro de Papel", "Saudade Número Três", "A Janela"] },
  },
  {
    name: "Ensemble Quiet Hour",
    genre: "classical",
    albums: { "Motets for Winter": ["O Magnum", "Ubi Caritas", "Vigil", "Compline"] },
  },
  {
    name: "Leif Nordahl",
    genre: "classical",
    albums: { "Preludes for Upright Piano": ["Prelude in D", "Prelude in F", "Snow on the Keys"] },
  },
  {
    name: "Copperhead Road Crew",
    genre: "country",
    albums: { "Diesel Hymns": ["Diesel Hymns", "Last Exit Mullingar", "My Other Tractor"] },
  },
  {
    name: "Neon Cormorant",
    genre: "electronic",
    albums: { "Sea Level": ["Bathymetry", "Sonar", "Shelf Break", "Thermocline"], Wader: ["Dunlin", "Knot"] },
  },
  {
    name: "The Bog Bodies",
    genre: "rock",
    albums: { "Preserved in Peat": ["Two Thousand Years", "Tannin", "Clonycavan"] },
  },
  {
    name: "Sister Static",
    genre: "indie",
    albums: { "AM Radio": ["Long Wave", "Shipping Forecast", "Carrier Signal"] },
  },
  { name: "Oumou Diarra", genre: "world", albums: { Bamako: ["Djourou", "Niger at Dusk", "Sabali"] } },
  {
    name: "Yamamoto & Field",
    genre: "ambient",
    albums: { "Rooms Without Doors": ["Room 1", "Room 4", "Corridor", "Stairwell at Night"] },
  },
  {
    name: "The Canal Street Brass",
    genre: "jazz",
    albums: { "Lock Gates": ["Binn's Bridge", "Harold's Cross Stomp", "Heron Walk"] },
  },
  {
    name: "Ciarán Ó Dálaigh",
    genre: "folk",
    albums: { "Port an Gheata": ["Port an Gheata", "Slow Air for a Ferry", "The Hare's Leap"] },
  },
  {
    name: "Velvet Tram",
    genre: "pop",
    albums: { "Red Line": ["Smithfield", "Museum", "Four Courts Kiss", "Terminus"] },
  },
  {
    name: "Grace Okafor",
    genre: "soul",
    albums: { "Kitchen Light": ["Kitchen Light", "Salt", "Call Your Mother", "Slow Sunday"] },
  },
];
