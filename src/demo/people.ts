// Everyone in Nora Keane's life: family, friends, colleagues, and the offices that write to her.

export type Circle = "self" | "family" | "friend" | "colleague" | "client" | "service";

export interface Person {
  name: string;
  email: string;
  circle: Circle;
  phone?: string;
  city?: string;
  organisation?: string;
  title?: string;
  birthday?: string;
  remark?: string;
}

const person = (name: string, email: string, circle: Circle, more: Omit<Person, "name" | "email" | "circle"> = {}) => ({
  name,
  email,
  circle,
  ...more,
});

export const people = {
  nora: person("Nora Keane", "nora@keane.example", "self", {
    phone: "+353 85 555 0142",
    city: "Dublin",
    organisation: "Pike Acoustics",
    title: "Acoustic engineer",
    birthday: "1991-11-09",
  }),

  // Family
  mateus: person("Mateus Ferreira", "mateus@ferreira.example", "family", {
    phone: "+353 86 555 0198",
    city: "Dublin",
    organisation: "Irish Maritime Museum",
    title: "Conservator",
    birthday: "1989-04-27",
    remark: "Partner. Grew up in Graça, Lisbon. No walnuts.",
  }),
  maeve: person("Maeve Keane", "maeve.keane@ballina.example", "family", {
    phone: "+353 87 555 0110",
    city: "Ballina",
    birthday: "1956-02-17",
    remark: "Mum. Rings on Sundays after Mass.",
  }),
  tomas: person("Tomás Keane", "tomas.keane@ballina.example", "family", {
    phone: "+353 87 555 0111",
    city: "Ballina",
    birthday: "1954-08-24",
    remark: "Dad. Retired from the forestry service.",
  }),
  orla: person("Orla Keane", "orla@spreeheim.example", "family", {
    phone: "+49 151 5550 0123",
    city: "Berlin",
    organisation: "Charité",
    title: "Paediatric nurse",
    birthday: "1988-06-03",
    remark: "Sister. Son Finn, born 14 September 2023.",
  }),
  cian: person("Cian Keane", "cian.keane@corrib.example", "family", {
    phone: "+353 83 555 0177",
    city: "Galway",
    organisation: "Corrib Boats",
    birthday: "1994-12-30",
    remark: "Brother. Married Saoirse on 20 June 2026.",
  }),
  saoirse: person("Saoirse Lally", "saoirse@lally.example", "family", {
    phone: "+353 83 555 0178",
    city: "Galway",
    remark: "Cian's wife. Plays the concertina.",
  }),
  celeste: person("Celeste Ferreira", "celeste@ferreira.example", "family", {
    phone: "+351 21 555 0162",
    city: "Lisbon",
    birthday: "1945-05-17",
    remark: "Mateus's grandmother, Avó Celeste.",
  }),

  // Friends
  priya: person("Priya Raman", "priya@raman.example", "friend", {
    phone: "+353 86 555 0131",
    city: "Dublin",
    organisation: "Marine Institute",
    title: "Oceanographer",
    birthday: "1990-10-12",
    remark: "Minds Biscuit when we travel. Vegetarian.",
  }),
  jonas: person("Jonas Weber", "jonas@weberhaus.example", "friend", {
    phone: "+47 412 55 019",
    city: "Oslo",
    title: "Carpenter",
    birthday: "1987-03-21",
    remark: "Moved to Oslo in August 2025. Still has our drill.",
  }),
  sinead: person("Sinéad Byrne", "sinead@byrne.example", "friend", {
    phone: "+353 87 555 0155",
    city: "Dublin",
    organisation: "Stoneybatter National School",
    title: "Teacher",
    birthday: "1991-01-30",
  }),
  leila: person("Leila Haddad", "leila@zaatarandrye.example", "friend", {
    phone: "+353 89 555 0160",
    city: "Dublin",
    organisation: "Zaatar & Rye",
    title: "Chef",
    birthday: "1986-07-08",
  }),
  yuki: person("Yuki Tanaka", "yuki@tanaka.example", "friend", {
    phone: "+353 85 555 0173",
    city: "Dublin",
    organisation: "Needle Drop Records",
    birthday: "1992-09-02",
    remark: "Record shop. Alto in the choir.",
  }),
  bukowska: person("Halina Bukowska", "halina@bukowska.example", "friend", {
    phone: "+353 1 555 0127",
    city: "Dublin",
    remark: "Neighbour, 27 Manor Street, apartment 4.",
  }),
  dermot: person("Dermot Fay", "dermot@liffeychamber.example", "friend", {
    phone: "+353 87 555 0139",
    city: "Dublin",
    organisation: "Liffey Chamber Choir",
    title: "Choir director",
  }),

  // Colleagues
  grainne: person("Gráinne Pike", "grainne@pikeacoustics.example", "colleague", {
    phone: "+353 1 555 0200",
    organisation: "Pike Acoustics",
    title: "Managing director",
  }),
  oisin: person("Oisín Doyle", "oisin@pikeacoustics.example", "colleague", {
    phone: "+353 1 555 0203",
    organisation: "Pike Acoustics",
    title: "Senior engineer",
  }),
  hana: person("Hana Novák", "hana@pikeacoustics.example", "colleague", {
    phone: "+353 1 555 0204",
    organisation: "Pike Acoustics",
    title: "Modelling lead",
  }),
  raj: person("Raj Mehta", "raj@pikeacoustics.example", "colleague", {
    phone: "+353 1 555 0205",
    organisation: "Pike Acoustics",
    title: "Measurement technician",
  }),
  ewa: person("Ewa Kowalska", "ewa@pikeacoustics.example", "colleague", {
    phone: "+353 1 555 0201",
    organisation: "Pike Acoustics",
    title: "Office manager",
  }),
  lorcan: person("Lorcan Shea", "lorcan@pikeacoustics.example", "colleague", {
    phone: "+353 1 555 0206",
    organisation: "Pike Acoustics",
    title: "Graduate engineer",
  }),

  // Clients
  harbour: person("Niamh Costello", "n.costello@harbourhall.example", "client", {
    organisation: "Harbour Hall Trust",
    title: "Project director",
  }),
  kilbride: person("Brother Aidan Walsh", "principal@kilbrideschool.example", "client", {
    organisation: "Kilbride School",
    title: "Principal",
  }),
  merrion: person("Deirdre Quinlan", "d.quinlan@merrionlibrary.example", "client", {
    organisation: "Merrion Library",
    title: "Head librarian",
  }),
  docklands: person("Stefan Richter", "s.richter@northquay.example", "client", {
    organisation: "North Quay Developments",
    title: "Site manager",
  }),
  studio: person("Bláthnaid Ó Ceallaigh", "blathnaid@raidiokilronan.example", "client", {
    organisation: "Raidió Kilronan",
    title: "Station manager",
  }),
  theatre: person("Marcus Adeyemi", "marcus@lanterntheatre.example", "client", {
    organisation: "Lantern Theatre",
    title: "Technical director",
  }),

  // Offices and services
  declan: person("Declan Moriarty", "declan@moriartylettings.example", "service", {
    phone: "+353 1 555 0300",
    organisation: "Moriarty Lettings",
    title: "Landlord, Leinster Road",
  }),
  aoife: person("Aoife Tierney", "aoife.tierney@manorstreet.example", "service", {
    phone: "+353 1 555 0301",
    organisation: "Manor Street Homes",
    title: "Landlady, Manor Street",
  }),
  vet: person("Dr Fiona Hurley", "reception@phoenixvets.example", "service", {
    phone: "+353 1 555 0310",
    organisation: "Phoenix Vets",
    title: "Vet",
  }),
  petcover: person("Shamrock Pet Cover", "claims@shamrockpet.example", "service", { phone: "+353 1 555 0311" }),
  doctor: person("Dr Amara Osei", "practice@batterhealth.example", "service", {
    phone: "+353 1 555 0320",
    organisation: "Batter Health Centre",
    title: "GP",
  }),
  dentist: person("Dr Conall Reid", "hello@reiddental.example", "service", {
    phone: "+353 1 555 0321",
    organisation: "Reid Dental",
    title: "Dentist",
  }),
  optician: person("Bright Eyes Opticians", "care@brighteyes.example", "service", { phone: "+353 1 555 0322" }),
  hospital: person("St Brendan's Hospital", "admissions@stbrendans.example", "service", { phone: "+353 91 555 0323" }),
  donor: person("Irish Donor Service", "donors@irishdonor.example", "service"),
  atlantica: person("Atlantica Air", "bookings@atlantica.example", "service"),
  pensao: person("Pensão Graça Nova", "reservas@gracanova.example", "service", {
    phone: "+351 21 555 0188",
    city: "Lisbon",
  }),
  insurer: person("Harp Insurance", "service@harpinsurance.example", "service", { phone: "+353 1 555 0330" }),
  movers: person("Two Lads and a Van", "book@twolads.example", "service", { phone: "+353 86 555 0331" }),
  canalnet: person("Canalnet Broadband", "support@canalnet.example", "service", { phone: "+353 1 555 0340" }),
  power: person("Bord Solas Energy", "bills@bordsolas.example", "service", { phone: "+353 1 555 0341" }),
  mobile: person("Curlew Mobile", "bills@curlewmobile.example", "service"),
  gym: person("LiftHouse Gym", "members@lifthouse.example", "service"),
  fresco: person("Fresco Box", "hello@frescobox.example", "service"),
  tuneharbour: person("Tuneharbour", "no-reply@tuneharbour.example", "service"),
  plumber: person("Pat Nolan", "pat@nolanplumbing.example", "service", {
    phone: "+353 87 555 0350",
    organisation: "Nolan Plumbing",
    title: "Plumber",
  }),
  washfix: person("WashFix Repairs", "jobs@washfix.example", "service", { phone: "+353 1 555 0351" }),
  garda: person("Rathmines Garda Station", "rathmines@gardastation.example", "service", { phone: "+353 1 555 0360" }),
  passport: person("Passport Service", "no-reply@passportservice.example", "service"),
  revenue: person("Revenue Commissioners", "no-reply@revenue.example", "service"),
  library: person("Dublin City Libraries", "notices@citylibraries.example", "service"),
  allotment: person("Broadstone Allotments", "secretary@broadstoneplots.example", "service"),
  maker: person("Dublin Maker Weekend", "stands@dublinmaker.example", "service"),
  sciencefund: person("Community Science Fund", "grants@communityscience.example", "service"),
  tickets: person("Vicar Lane Box Office", "tickets@vicarlane.example", "service"),
  soundDays: person("Nordic Sound Days", "programme@nordicsounddays.example", "service"),
  calibration: person("Meridian Calibration", "lab@meridiancal.example", "service"),
  bank: person("Liffey Bank", "alerts@liffeybank.example", "service"),
  pension: person("Keel Pensions", "members@keelpensions.example", "service"),
  weddingHotel: person("Salthill Strand Hotel", "stay@salthillstrand.example", "service", {
    phone: "+353 91 555 0370",
    city: "Galway",
  }),
  postcards: person("Postcard Exchange", "post@postcardexchange.example", "service"),

  // Shops
  sparrow: person("Sparrow Electronics", "orders@sparrowelectronics.example", "service"),
  hearth: person("Hearth & Beam", "orders@hearthandbeam.example", "service"),
  pagewind: person("Pagewind Books", "orders@pagewind.example", "service"),
  pawprint: person("Pawprint Supplies", "orders@pawprint.example", "service"),
  spoke: person("Spoke & Chain", "orders@spokeandchain.example", "service"),
  linen: person("Linen & Loom", "orders@linenandloom.example", "service"),
  greenhouse: person("The Glasshouse", "orders@theglasshouse.example", "service"),

  // Newsletters
  birdpost: person("The Bird Post", "letter@birdpost.example", "service"),
  cityNotes: person("Northside Notes", "editor@northsidenotes.example", "service"),
  cinema: person("Lighthouse Pictures", "programme@lighthousepictures.example", "service"),
  acousticsToday: person("Room Tone Weekly", "editor@roomtone.example", "service"),
  farm: person("Boyne Valley Veg", "box@boynevalleyveg.example", "service"),
  bookLetter: person("Pagewind Reading Letter", "letter@pagewind.example", "service"),
} satisfies Record<string, Person>;

export type PersonKey = keyof typeof people;

export const nameOf = (key: PersonKey) => people[key].name;
export const firstName = (key: PersonKey) => people[key].name.replace(/^(Dr|Brother) /, "").split(" ")[0]!;

export const WORK_ADDRESS = "nora@pikeacoustics.example";
