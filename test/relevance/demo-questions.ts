// Questions as people type them, about the demo home and about a German and a French mailbox alongside it. Each has words
// that occur only in the records that answer it.

/** `answer` is in the records that answer the question, and in no other record that could be confused with them. */
export type Question = [question: string, answer: string];

export const ENGLISH: readonly Question[] = [
  ["how long is the notice period for our old flat?", "the notice period is 56 days"],
  ["why did the landlord keep part of the deposit", "I keep back EUR 85"],
  ["what did the movers charge", "TL-0308"],
  ["contract number of our broadband", "CN-660184"],
  ["what's the wifi password for guests", "biscuit-sleeps-18h"],
  ["boiler shows F22 what to do", "shows F22"],
  ["code for the street door", "4471#"],
  ["who has our spare key?", "has our spare key"],
  ["which colour did we paint the living room", "Heron Grey, number 0417"],
  ["booking reference for the flights to Lisbon", "QX7LRM"],
  ["hotel reservation in Lisbon", "LG-20931"],
  ["travel insurance policy", "TI-5528-0937"],
  ["lost scarf on the tram", "handed in a yellow wool scarf"],
  ["restaurant for Celeste's birthday", "O Barco Azul"],
  ["how much methimazole does the cat get", "methimazole, 2.5 mg twice a day"],
  ["vet bills", "PV-3382"],
  ["microchip number of the cat", "372 098 100 455 201"],
  ["when is Biscuit's vaccination due", "enteritis booster is due by 2 May 2026"],
  ["frequency of the radio link", "868.3 MHz"],
  ["what is my salary from January", "EUR 58,400"],
  ["alarm code at the office", "alarm code from today: 2209"],
  ["when is Hana's last day", "My last day is Friday 27 June"],
  ["recipe for brown bread", "450 ml buttermilk"],
  ["how much did Finn weigh when he was born", "3,410 grams"],
  ["Orla's address in Berlin", "Sanderstraße 19, rear house"],
  ["discount code for the wedding hotel", "KEANE26"],
  ["did the gym confirm that I cancelled", "LH-CXL-90412"],
  ["what does the dentist say about the crown", "a ceramic crown is the lasting answer"],
  ["what is my blood group", "O negative"],
  ["frame number of my stolen bike", "WTU 204 K"],
  ["when does my passport expire", "valid until 10 March 2034"],
  ["tax refunds for 2023", "EUR 412.18"],
  ["washing machine error E18", "E18 on that model"],
];

export const GERMAN: readonly Question[] = [
  ["Wann kommt der Schornsteinfeger?", "Ihr Schornsteinfegermeister"],
  ["Rechnungen vom Zahnarzt", "R-2025-118"],
  ["wie hoch sind die Nebenkosten", "Nachzahlung von 212,40 Euro"],
  ["Kündigungsfrist Fitnessstudio", "drei Monate zum Quartalsende"],
  ["Elternabende in der Schule", "Raum 204"],
  ["Termin für die Reparatur der Heizung", "zwischen 8 und 10 Uhr bei Ihnen"],
  ["wo haben wir die Ferienwohnung gebucht", "Haus Seeblick"],
  ["Rückgabe der Bücher", "Stadtbibliothek"],
];

export const FRENCH: readonly Question[] = [
  ["facture d'électricité", "184,20 euros"],
  ["quand arrive le colis ?", "Relais Mercure"],
  ["rendez-vous chez le médecin", "docteur Lenoir"],
  ["numéro de contrat de l'assurance habitation", "HB-77310"],
  ["horaires des trains pour Lyon", "voiture 14"],
  ["combien coûte l'inscription au conservatoire", "320 euros par an"],
  ["recettes de ma grand-mère", "tarte aux mirabelles"],
];

/** Messages in the mailboxes alongside the demo, as subject and text. */
export const GERMAN_MAILS: readonly [string, string][] = [
  [
    "Feuerstättenschau",
    "Guten Tag, am 14. März kommt unser Schornsteinfeger in Ihr Haus und prüft die Abgaswege. Bitte sorgen Sie dafür, dass der Keller offen ist. Ihr Schornsteinfegermeister Brandt",
  ],
  [
    "Ihre Zahnarztrechnung",
    "Sehr geehrte Frau Keller, anbei die Rechnung R-2025-118 Ihrer Zahnarztpraxis über 96,30 Euro für die Zahnreinigung. Der Zahnarzt empfiehlt eine Kontrolle im Herbst.",
  ],
  [
    "Abrechnung der Nebenkosten",
    "Die Abrechnung Ihrer Nebenkosten für das vergangene Jahr ergibt eine Nachzahlung von 212,40 Euro. Bitte überweisen Sie den Betrag bis zum Monatsende.",
  ],
  [
    "Ihre Kündigung",
    "Wir haben Ihre Kündigung im Fitnessstudio erhalten. Die Kündigungsfrist beträgt drei Monate zum Quartalsende, Ihr Vertrag endet daher am 30. Juni.",
  ],
  [
    "Einladung zum Elternabend",
    "Liebe Eltern, der Elternabend der Schule findet am Dienstag um 19 Uhr in Raum 204 statt. Wir sprechen über die Klassenfahrt.",
  ],
  [
    "Heizung: Reparaturtermin",
    "Unser Monteur repariert Ihre Heizung am Freitag und ist zwischen 8 und 10 Uhr bei Ihnen. Wenn der Termin nicht passt, rufen Sie uns bitte an.",
  ],
  [
    "Buchungsbestätigung",
    "Vielen Dank für Ihre Buchung! Die Ferienwohnung im Haus Seeblick am Plöner See ist vom 2. bis 9. August für Sie reserviert.",
  ],
  [
    "Erinnerung",
    "Zwei Bücher sind am Montag fällig. Bitte geben Sie sie zurück oder verlängern Sie die Frist im Internet. Ihre Stadtbibliothek",
  ],
  [
    "Neues aus dem Garten",
    "Die Tomaten sind reif und der Rasen ist gemäht. Komm uns bald besuchen, das Haus ist leer ohne dich. Deine Tante",
  ],
  [
    "Rundschreiben",
    "Die Schule bleibt am Freitag geschlossen. Termine für das neue Schuljahr finden Sie auf der Seite der Schule.",
  ],
];

export const FRENCH_MAILS: readonly [string, string][] = [
  [
    "Votre facture est disponible",
    "Bonjour, votre facture d'électricité du mois de janvier s'élève à 184,20 euros. Elle sera prélevée le 15 du mois.",
  ],
  [
    "Votre colis est en route",
    "Votre colis arrivera jeudi au point de retrait Relais Mercure. Une pièce d'identité vous sera demandée.",
  ],
  [
    "Rappel de rendez-vous",
    "Nous vous rappelons votre rendez-vous avec le docteur Lenoir, médecin généraliste, mardi à 9 h 30. Merci de prévenir en cas d'absence.",
  ],
  [
    "Attestation d'assurance",
    "Veuillez trouver l'attestation de votre assurance habitation. Votre numéro de contrat est HB-77310.",
  ],
  [
    "Vos billets",
    "Votre train pour Lyon part à 7 h 58 de la gare de l'Est. Vous êtes en voiture 14, places 61 et 62. Les horaires peuvent changer.",
  ],
  [
    "Conservatoire municipal",
    "Les inscriptions au conservatoire sont ouvertes. Les cours coûtent 320 euros par an, payables en trois fois.",
  ],
  [
    "La recette de mamie",
    "Voici la recette de ta grand-mère pour la tarte aux mirabelles : il faut un kilo de fruits et beaucoup de patience.",
  ],
  [
    "Nouvelles de Bretagne",
    "Le médecin dit que tout va bien. Nous avons pris le train hier et la mer est calme. Bises à tous.",
  ],
  [
    "Travaux dans l'immeuble",
    "L'électricité sera coupée mardi de 10 à 12 heures. Les horaires du gardien changent aussi cette semaine.",
  ],
];
