// Facts worth finding in the demo home: a question, the words that answer it, and every record that contains them.

export interface DemoFact {
  /** The words that a person would type; the best answer contains all of them. */
  query: string;
  /** A text that occurs in exactly the records listed in `where`. */
  text: string;
  /**
   * `connection/stream:name`, with the record names from the stories (names.fixture.ts); the first is the best answer.
   */
  where: string[];
}

const personal = (id: string) => `mail-personal/messages:${id}`;
const work = (id: string) => `mail-work/messages:${id}`;
const chat = (id: string) => `whatsapp/messages:${id}`;
const slack = (id: string) => `slack/messages:${id}`;
const event = (id: string) => `calendar/events:${id}`;
const note = (id: string) => `notes/notes:${id}`;
const liffey = (id: string) => `bank-liffey/transactions:${id}`;
const canal = (id: string) => `bank-canal/transactions:${id}`;
const entry = note;
const task = (id: string) => `calendar/tasks:${id}`;

const fact = (query: string, text: string, ...where: string[]): DemoFact => ({ query, text, where });

export const demoFacts: DemoFact[] = [
  // The move
  fact("landlord notice period", "the notice period is 56 days", personal("m-landlord-notice")),
  fact("deposit Manor Street lease", "one cat allowed, by name", personal("m-lease-manor-street")),
  fact("van quote Saturday 8 March", "TL-0308", personal("m-movers-quote"), event("e-moving-day"), canal("t-movers")),
  fact("deposit broken blind", "I keep back EUR 85", personal("m-deposit-returned")),
  fact("closing meter reading electricity", "48213 kWh", personal("m-meter-reading")),
  fact("broadband contract number", "CN-660184", personal("m-broadband-contract")),
  fact("wifi password", "teal-otter-canyon-58", note("n-flat-handbook")),
  fact("guest wifi password", "biscuit-sleeps-18h", chat("w-guest-wifi")),
  fact("boiler pressure low F22", "shows F22", note("n-flat-handbook")),
  fact("street door code", "4471#", chat("w-door-code")),
  fact("our spare key", "has our spare key", chat("w-spare-key")),
  fact("living room paint colour", "Heron Grey, number 0417", chat("w-paint-colour")),
  fact("residents parking permit", "Residents' parking permits", personal("m-post-redirect")),

  // Lisbon
  fact(
    "Lisbon flight locator",
    "QX7LRM",
    personal("m-lisbon-flight"),
    event("e-flight-out"),
    event("e-flight-back"),
    liffey("t-flight"),
    entry("j-lisbon-1"),
  ),
  fact("Lisbon hotel reservation number", "LG-20931", personal("m-lisbon-hotel"), canal("t-hotel")),
  fact("travel insurance policy number", "TI-5528-0937", personal("m-travel-insurance"), liffey("t-insurance-travel")),
  fact("yellow scarf tram 28 depot", "handed in a yellow wool scarf", personal("m-lost-scarf")),
  fact(
    "Avó Celeste birthday restaurant",
    "O Barco Azul",
    event("e-celeste-80"),
    chat("w-barco-azul"),
    liffey("t-barco-azul"),
    entry("j-lisbon-3"),
  ),
  fact("arroz doce recipe", "cracked blue cup", note("n-arroz-doce")),

  // The cat
  fact("Biscuit methimazole dose", "methimazole, 2.5 mg twice a day", personal("m-vet-diagnosis")),
  fact("Biscuit tablet dose raised", "2.5 mg in the morning and 5 mg at night", personal("m-vet-dose-raised")),
  fact("vet invoice Biscuit", "PV-3382", personal("m-vet-invoice"), liffey("t-vet-invoice")),
  fact("pet cover claim settled", "PC-77120", personal("m-pet-claim"), liffey("t-pet-claim")),
  fact("cat microchip number", "372 098 100 455 201", note("n-biscuit-card")),
  fact("cat booster due", "enteritis booster is due by 2 May 2026", personal("m-vaccination-due")),

  // The Wren Box
  fact("Dublin Maker stand socket", "300 W at most", personal("m-maker-stand")),
  fact(
    "science fund award",
    "CSF-2025-118",
    personal("m-science-grant"),
    liffey("t-science-grant"),
    task("k-science-report"),
  ),
  fact("blackbirds are starlings", "91.3 percent", personal("m-priya-model"), note("n-wren-lab-book")),
  fact("corncrake confidence", "that is a corncrake", chat("w-corncrake-2")),
  fact("radio link frequency", "868.3 MHz", chat("w-radio-frequency")),
  fact("Wren Box pin settings", "word select on pin 25", note("n-wren-setup")),
  fact("cost of one school unit", "123.75", note("n-wren-budget")),
  fact("membrane salt spray test", "Gorvex 418", note("n-wren-lab-book")),
  fact(
    "I2S microphone matched pair",
    "ORD-48817",
    "orders/orders:ORD-48817",
    personal("order-ORD-48817-confirmed"),
    personal("order-ORD-48817-shipped"),
    liffey("pay-ORD-48817"),
  ),

  // Work
  fact(
    "Harbour Hall reverberation target",
    "mid-frequency reverberation time of 1.8 seconds",
    work("m-harbour-target"),
  ),
  fact("Harbour Hall invoice stage 2", "INV-2024-0173", work("m-harbour-invoice")),
  fact("worst seat in the house", "C80 of −2.6 dB", note("n-harbour-survey")),
  fact("classroom 7 fan noise", "The ventilation fan above classroom 7", work("m-kilbride-fan")),
  fact("reading room door seal", "type RP8", work("m-merrion-door")),
  fact("gross salary from January", "EUR 58,400", work("m-salary")),
  fact("sound level meter calibration certificate", "CAL-88213", work("m-calibration"), task("k-calibrate")),
  fact("paper accepted Gothenburg", "speech clarity in long rooms", work("m-paper-accepted")),
  fact("piling vibration limit", "8 mm/s at the warehouse wall", work("m-north-quay-piling")),
  fact("ferry horn studio Kilronan", "09:40 and 17:15", work("m-radio-studio")),
  fact("Hana last day", "My last day is Friday 27 June", work("m-hana-leaving")),
  fact("pension member number", "Member number 30-5521", work("m-pension")),
  fact("wool serge house curtain", "620 g per square metre", work("m-theatre-curtain")),
  fact("office alarm code", "alarm code from today: 2209", slack("s-alarm-code")),
  fact("laptop asset tag", "PA-0217", slack("s-laptop")),
  fact("balloons flattest impulse", "the 45 cm ones", slack("s-impulse-source")),

  // Family
  fact("brown bread recipe buttermilk", "450 ml buttermilk", personal("m-brown-bread")),
  fact("Finn birth weight", "3,410 grams", personal("m-finn-born")),
  fact("Orla address Berlin", "Sanderstraße 19, rear house", personal("m-orla-address")),
  fact("father's seventieth Kilmore House", "Forty-two people", personal("m-dad-seventy")),
  fact("knee operation visiting hours", "Visiting hours are 14:00 to 16:00", personal("m-mum-knee")),
  fact("wedding hotel code", "KEANE26", personal("m-wedding-hotel"), event("e-wedding"), canal("t-wedding-hotel")),
  fact("wedding reading poem", "the Heaney poem about the kite", chat("w-wedding-reading")),
  fact("lend Cian outboard", "Could you lend me 600", personal("m-cian-loan")),
  fact("Christmas presents list", "Mam the heated blanket", chat("w-christmas-gifts")),

  // Household, papers, friends
  fact("gym cancellation confirmation", "LH-CXL-90412", personal("m-gym-cancelled")),
  fact("too much plastic parsley", "too little parsley", personal("m-fresco-cancelled")),
  fact("Tuneharbour price Solo plan", "from EUR 10.99 to EUR 12.99", personal("m-tuneharbour-price")),
  fact("dentist crown estimate", "a ceramic crown is the lasting answer", personal("m-crown")),
  fact("hay fever tablets dose", "fexofenadine 180 mg", personal("m-hayfever")),
  fact("glasses prescription", "right eye −2.25", personal("m-optician")),
  fact("blood group", "O negative", personal("m-donor")),
  fact("stolen bicycle frame number", "WTU 204 K", personal("m-bike-stolen")),
  fact("passport valid until", "valid until 10 March 2034", personal("m-passport")),
  fact("tax refund 2023", "EUR 412.18", personal("m-tax-refund")),
  fact("washing machine error E18", "E18 on that model", personal("m-washing-machine")),
  fact("diverter valve boiler", "She will want a new diverter valve", personal("m-boiler")),
  fact("allotment plot padlock", "Gate padlock: 1916", personal("m-allotment")),
  fact(
    "Paper Lanterns tickets row",
    "7H2K9P",
    personal("m-concert-tickets"),
    event("e-paper-lanterns"),
    liffey("t-paper-lanterns"),
  ),
  fact("sofa delivered without legs", "the week on the floor", personal("m-sofa-legs")),
  fact("library card number", "2 1174 00938", personal("m-library-card")),
  fact("B natural bar 42 Offertoire", "bar 42 of the Offertoire", personal("m-choir-concert")),
  fact("contents insurance policy", "HH-7741-220", note("n-emergency")),
  fact("coffee grinder clicks", "14 clicks for the filter", chat("w-coffee-grinder")),
  fact("restaurant ceiling felt", "wool felt, 50 mm, eighteen square metres", chat("w-zaatar-ceiling")),
  fact("key of the hut Lough Dan", "under the third stone left of the stile", note("n-walk-diary")),
  fact("last bus from Glendalough", "on Sundays is at 17:40", note("n-walk-diary")),
];
