// CSV statements from banks and finance programs, counted and compared cell by cell with an independent reader.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collect, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import { bankImporter } from "../../src/collect/importers/bank/importer.ts";
import { noSamples, sample } from "./samples.ts";

const FOLDER = "second-round/bank-csv";
const ANSWERS = { date_order: "dmy", decimal_mark: "." };

const run = async (file: string, answers = {}) => {
  const entries = [sample(`${FOLDER}/${file}`)];
  const events = await collect(bankImporter, entries, { answers: { ...ANSWERS, ...answers } });
  return {
    bookings: recordsOf(events, "transactions").map(({ data, offset }) => ({ data, line: offset! })),
    accounts: new Map(recordsOf(events, "accounts").map(({ key, data }) => [key, data])),
    skipped: events.filter(({ kind }) => kind === "skip").length,
    failed: events.flatMap((event) => (event.kind === "error" ? [event.message] : [])),
    questions: (await bankImporter.plan({ name: "x", entries }, {})).questions,
    refused: await refusals(bankImporter, entries, ANSWERS),
  };
};

/**
 * Returns the cells by line, without the importer's code. Handles quotes, doubled quotes and line ends inside quotes.
 */
function cellsByLine(text: string, delimiter: string): Map<number, string[]> {
  const rows = new Map<number, string[]>();
  let [cells, cell, quoted, line] = [[] as string[], "", false, 1];
  const end = (): void => {
    rows.set(line, [...cells, cell]);
    [cells, cell] = [[], ""];
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (quoted && sign === '"' && text[at + 1] === '"') cell += text[at++];
    else if (sign === '"') quoted = !quoted;
    else if (sign === delimiter && !quoted) [cells, cell] = [[...cells, cell], ""];
    else if (sign === "\n" && !quoted) end();
    else cell += sign;
    if (sign === "\n") line++;
  }
  if (cell !== "" || cells.length > 0) end();
  return rows;
}

const plain = (text: string): string => text.replace(/[\s'"\\]+/g, " ").trim();
/** Ignores zeros, because banks pad days, months and amounts differently. */
const digits = (text: string): string => [...text.replace(/[^1-9]/g, "")].sort().join("");

/**
 * Returns the cells that are missing from the record. A cell is kept if its text is in the record or its account, or if
 * its digits match a date or an amount there.
 */
function lost(cells: readonly string[], data: object): string[] {
  const texts = plain(JSON.stringify(data).replace(/\\[nrt]/g, " "));
  const values = Object.values(data).map(String);
  const figures = new Set(
    // Includes dates with a two-digit year, and with the month as a word.
    values.flatMap((value) => [value, value.replace(/^(?:19|20)/, ""), value.replace(/-\d\d-/, "-")].map(digits)),
  );
  figures.add(
    digits(
      values
        .join("")
        .match(/\d{4}-\d\d-\d\d/)?.[0]
        ?.replace(/^..(..)-..-/, "$1") ?? "",
    ),
  );
  return cells.map(plain).filter((cell) => {
    if (cell === "" || texts.includes(plain(JSON.stringify(cell).slice(1, -1)))) return false;
    return !(/\d/.test(cell) && figures.has(digits(cell))) && !/^(?:debit|credit|af|bij|[cdk]|cr)$/i.test(cell);
  });
}

type Statement = [
  file: string,
  delimiter: string,
  encoding: string,
  bookings: number,
  skipped: number,
  /** One transaction per file, read manually: amount, payee, start of the purpose, and currency. */
  at: number,
  amount: number,
  payee: string,
  purpose: string,
  currency: string,
];

const STATEMENTS: readonly Statement[] = [
  ["at-easybank-card.csv", ";", "utf-8", 3, 0, 0, -5.99, "", "Some vendor/info|12345678909876543212345", "EUR"],
  [
    "at-easybank-giro.csv",
    ";",
    "windows-1252",
    10,
    0,
    0,
    -0.42,
    "",
    "Einbehaltene KESt                           ",
    "EUR",
  ],
  ["at-ing.csv", ";", "windows-1252", 6, 0, 0, 12.23, "", "Habenzinsen", "EUR"],
  ["at-livebank.csv", ";", "windows-1252", 6, 0, 0, 150, "", "A name", "EUR"],
  [
    "at-oberbank.csv",
    ";",
    "windows-1252",
    5,
    0,
    3,
    11,
    "Auftraggebername",
    "SCOR Verwendungszweck Empfängername, SCOR, V",
    "EUR",
  ],
  ["at-raiffeisen.csv", ";", "windows-1252", 7, 0, 0, 0.58, "", "0,125 % p.a. Habenzinsen ab 01.04.13", "EUR"],
  ["b2y-2018-04-14_10-52-13_bunq-transactieoverzicht.csv", ",", "utf-8", 3, 0, 0, -2.56, "bunq", "invoice 410408", ""],
  ["b2y-20180226_12345678.csv", ",", "utf-8", 1, 0, 0, -5, "", "MERCHANT NAME@12:34", ""],
  [
    "b2y-2019-03-02_11-50-46_bunq-statement.csv",
    ",",
    "utf-8",
    7,
    0,
    0,
    -8.78,
    "CLOUDFLARE",
    "CLOUDFLARE 650-3198939, US 9.95 USD, 1 USD =",
    "",
  ],
  [
    "b2y-MS_JANE_SMITH_01-12-2019_14-12-2019.csv",
    ",",
    "utf-8",
    10,
    3,
    0,
    1183.23,
    "",
    "ROYAL LONDON INSURANCE        01222 61234  G",
    "GBP",
  ],
  ["b2y-MonzoDataExport_February2018_2018-02-26_174335.csv", ",", "utf-8", 1, 0, 0, -10, "", "Tesco", "GBP"],
  [
    "b2y-Movements_1234512345_201805271848.csv",
    ";",
    "windows-1250",
    1,
    0,
    0,
    -1,
    "Name Surname",
    "Memo for me test",
    "CZK",
  ],
  [
    "b2y-TH_20180101-20180523_page_1.csv",
    ";",
    "windows-1250",
    8,
    1,
    0,
    -111.11,
    "XXXXXXXXXXXX1111",
    "XXXXXX XXXXXX  1111",
    "CZK",
  ],
  [
    "b2y-TransactionHistory_20180418043121.csv",
    ",",
    "utf-8",
    8,
    0,
    0,
    -6.66,
    "",
    "DEBIT PURCHASE 15/04/18  66-6666 UBER EATS A",
    "SGD",
  ],
  [
    "b2y-Umsaetze_KtoNr538917600_EUR_02-03-2018_1503.CSV",
    ";",
    "utf-8",
    1,
    0,
    0,
    -17.22,
    "",
    "Kartenzahlung REWE SAGT DANKE. 41400673//Ham",
    "EUR",
  ],
  ["b2y-W80844_EBH_201945.202122.csv", ",", "utf-8", 2, 0, 0, -350, "memo goes here", "payee", "HUF"],
  [
    "b2y-dba33fceecd62c3c727893361e0ba4d3.P000000027355791.csv",
    ",",
    "utf-8",
    1,
    0,
    0,
    7.8,
    "",
    "UMC- MCDONALD'S (TAM KIOSK) SI NG 22FEB",
    "",
  ],
  [
    "b2y-export_BE11123456789012_20180304_1422.csv",
    ";",
    "utf-8",
    1,
    0,
    0,
    -3.4,
    "",
    "BIJDRAGE 01-02-2018 - 28-02-2018     28-02 K",
    "EUR",
  ],
  [
    "b2y-export_KBC-Mastercard Business Essential_20200204_1604.csv",
    ";",
    "utf-8",
    3,
    0,
    0,
    -16.52,
    "More info",
    "",
    "EUR",
  ],
  ["b2y-statement_1.csv", ",", "utf-8", 1, 0, 0, 20.59, "", "Shop Name, AnyTown20.59 POUND STERLING GREAT", ""],
  ["b2y-test_BOI_TransactionExport.csv", ",", "utf-8", 27, 0, 0, 428.03, "", "Random Name      GP", ""],
  [
    "b2y-test_swedebank_statement.xls",
    ",",
    "utf-8",
    17,
    0,
    1,
    -15.31,
    "X-911 MAXIMA",
    "PIRKINYS 2014.09.30 15.31 LTL (165339) X-911",
    "LTL",
  ],
  ["ch-neon.csv", ";", "utf-8", 47, 0, 0, -3000, "", "Investment Broker Account Transfer", ""],
  ["ch-zkb.csv", ";", "utf-8", 7, 0, 0, 5000, "", "Credit salary: Test Employer, Address, City", "CHF"],
  ["continuum-fio-movements.csv", ";", "utf-8", 3, 0, 0, -30000, "", "", "CZK"],
  ["continuum-fio.csv", ";", "utf-8", 5, 0, 1, 29760, "ČSSZ", "Peněž. pomoc ČSSZ", "CZK"],
  [
    "continuum-mbank.csv",
    ";",
    "windows-1250",
    5,
    1,
    0,
    155,
    "Revolut",
    "/OPF/AN/PL46291000060000000005639999/Jan Now",
    "PLN",
  ],
  ["continuum-revolut-pockets.csv", ",", "utf-8", 7, 1, 0, 5000, "", "Apple Pay top-up by *8000", "CZK"],
  ["csv2ofx-capitalone.csv", ",", "utf-8", 2, 0, 0, -1000, "", "Airplanes R Us", ""],
  ["csv2ofx-creditunion.csv", ",", "utf-8", 8, 0, 0, 50000, "", "Ằdøłƥh Noƴa", ""],
  ["csv2ofx-ingesp.csv", ",", "utf-8", 10, 0, 0, 2.83, "", "Abono por campaña Abono Shopping NARANJA:GAL", ""],
  ["csv2ofx-mint.csv", ",", "utf-8", 4, 0, 0, -1000, "", "Transfer from Checking Account Transfer", ""],
  ["csv2ofx-payoneer.csv", ",", "utf-8", 2, 0, 0, -100, "payee", "Transaction description Payoneer additional ", "USD"],
  ["csv2ofx-pcmastercard.csv", ",", "utf-8", 2, 0, 0, 36.33, "Mobil", "", ""],
  ["csv2ofx-schwab-checking.csv", ",", "utf-8", 4, 0, 0, 20, "", "Deposit Mobile Banking", ""],
  ["csv2ofx-stripe-default.csv", ",", "utf-8", 5, 0, 0, 25, "", "Entry ID: 316, Product: Big Event 2021", "CAD"],
  [
    "csv2ofx-ubs-ch-fr_trimmed.csv",
    ";",
    "utf-8",
    3,
    0,
    0,
    -10,
    "",
    "Compte personnel UBS Solde prix prestations",
    "CHF",
  ],
  ["de-dkb-new.csv", ";", "utf-8", 3, 0, 0, -78, "Stadtwerke Musterstadt", "Abschlag Strom", "EUR"],
  [
    "de-ing-with-saldo.csv",
    ";",
    "windows-1252",
    9,
    0,
    0,
    -5.5,
    "PayDude (Europe) S.a.r.l. et Cie., S .C.A.",
    "PP.1234.PP . Blumen Berther",
    "EUR",
  ],
  [
    "de-ing-without-saldo.csv",
    ";",
    "windows-1252",
    6,
    0,
    0,
    -5.49,
    "PayDude (Europe) S.a.r.l. et Cie., S .C.A.",
    "PP.1234.PP . Blumen Berther",
    "EUR",
  ],
  ["de-sparda.csv", ";", "windows-1252", 7, 1, 0, -11.99, "", "01234 MCDONALDS19.01.2024 19.20.53 OFFLIN EU", "EUR"],
  [
    "lt-swedbank.csv",
    ",",
    "utf-8",
    11,
    0,
    1,
    -14.34,
    "McDonald's restoranas AKR Vilnius",
    "PIRKINYS 0000000000000000 2011.12.30 14.34 L",
    "LTL",
  ],
  ["nl-asn.csv", ",", "utf-8", 11, 0, 0, 223.77, "", "NL99ASNB0000000000 XXXXXXXXX Z Z Z Z EUR NGM", "EUR"],
  ["nl-degiro.csv", ",", "utf-8", 27, 3, 0, 0.19, "", "Dividend", "EUR"],
  [
    "nl-ing.csv",
    ",",
    "utf-8",
    6,
    0,
    0,
    -1.25,
    "Kosten OranjePakket met korting",
    "1 jan t/m 31 jan 2020 ING BANK N.V. Valutada",
    "EUR",
  ],
  ["nl-knab.csv", ";", "utf-8", 28, 0, 0, -827.75, "Gert Janssen (FR)", "B9F21PGYA068V2KD Tresorie", "EUR"],
  ["paypal.csv", ",", "utf-8", 2, 0, 0, -20, "Jane Doe", "My Friend", "USD"],
  [
    "reckon-austrian_example.csv",
    ";",
    "utf-8",
    13,
    0,
    0,
    -18,
    "",
    "Abbuchung Onlinebanking         654321098765",
    "EUR",
  ],
  [
    "reckon-broker_canada_example.csv",
    ",",
    "utf-8",
    12,
    0,
    0,
    12.55,
    "",
    "Interest ISHARES S&P/TSX CAPPED REIT IN XRE",
    "CAD",
  ],
  ["reckon-danish_kroner_nordea_example.csv", ";", "utf-8", 6, 0, 0, -48, "", "Dankort-nota DSB Kobenhavn  15149", ""],
  ["reckon-extratofake.csv", ",", "windows-1252", 23, 0, 0, 100, "", "Saldo Anterior", ""],
  ["reckon-french_example.csv", ";", "utf-8", 9, 0, 0, -10, "", "CHEQUE 012345678901234578ABC000  0000 438197", ""],
  ["reckon-ing.csv", ",", "utf-8", 3, 0, 0, -136.13, "", "From1 Acc Incasso SEPA Incasso Opm1", ""],
  [
    "reckon-inversed_credit_card.csv",
    ",",
    "utf-8",
    16,
    0,
    0,
    -30,
    "",
    "VODAFONE PREPAY VISA M   AUCKLAND      NZL",
    "",
  ],
  ["reckon-nationwide.csv", ",", "utf-8", 4, 0, 0, 500, "", "Bank credit", "GBP"],
  ["reckon-suntrust.csv", ",", "utf-8", 7, 0, 0, 500, "", "Deposit", ""],
  ["revolut-2021.csv", ",", "utf-8", 7, 0, 0, -250, "", "transfer", "EUR"],
  ["revolut-2022.csv", ",", "utf-8", 7, 2, 0, -250, "", "To Guybrush Threepwood", "EUR"],
  ["revolut-chf.csv", ",", "utf-8", 7, 0, 0, 500, "", "Payment from Bank Account", "CHF"],
  ["transferwise.csv", ",", "utf-8", 5, 0, 0, -357.38, "John Doe", "Moving to Revolut Sent money to John Doe", "USD"],
  ["ua-monobank.csv", ",", "utf-8", 4, 0, 0, 19.32, "", "Відсотки за березень", "UAH"],
  [
    "ua-procredit.csv",
    ";",
    "windows-1251",
    6,
    0,
    0,
    -100,
    "Correspondent1",
    "Сплата комісії за обслуговування рахунків та",
    "UAH",
  ],
  ["ua-sensebank.csv", ";", "windows-1251", 6, 2, 0, -150, "", "Щомісячна комісія за обслуговування пакета б", "UAH"],
  ["uk-barclays.csv", ",", "utf-8", 3, 0, 0, -60, "", "BRITISH GAS        1234567            DDR", ""],
  ["uk-hsbc.csv", ",", "utf-8", 2, 0, 0, -12.34, "", "TESCO STORES 3297", ""],
  ["uk-lloyds-2017.csv", ",", "utf-8", 20, 0, 0, 903.52, "", "EMPLOYER INC", ""],
  ["uk-lloyds.csv", ",", "utf-8", 12, 0, 0, -8.99, "", "ACME STORE CD 1417    14JAN24", ""],
  ["uk-monzo-new.csv", ",", "utf-8", 9, 0, 0, -4.5, "Pret A Manger", "PRET A MANGER LONDON GBR", "GBP"],
  ["uk-natwest.csv", ",", "utf-8", 2, 0, 0, -12.34, "", "'4321 01SEP26 TESCO STORES 3297 , LONDON GB", ""],
  ["uk-starling.csv", ",", "utf-8", 4, 0, 1, -12.34, "TESCO STORES", "TESCO STORES 2231 LONDON", "GBP"],
  ["us-amex-signed.csv", ",", "utf-8", 7, 0, 0, -62.5, "", "SIMPLY NOODLES 00-08NEW YORK            NY", ""],
  ["us-amex.csv", ",", "utf-8", 8, 0, 0, 62.5, "", "SIMPLY NOODLES 00-08NEW YORK            NY", ""],
  ["us-chase.csv", ",", "utf-8", 8, 0, 0, -15.99, "", "NETFLIX.COM", ""],
  ["us-dcu.csv", ",", "utf-8", 10, 0, 0, -7971.39, "", "TRANSFER TO MBR ***0123 ACCT 4 MOBILE BANKIN", ""],
  ["us-fidelity.csv", ",", "utf-8", 11, 9, 0, -10000, "", "No Description DIRECT DEBIT TREASURY DIRECTR", ""],
  ["us-schwab-checking.csv", ",", "utf-8", 2, 0, 0, 1, "", "Interest Paid", ""],
  ["venmo.csv", ",", "utf-8", 4, 5, 0, 73.01, "Me", "foobar charge positive", ""],
  ["windows1250.csv", ",", "windows-1250", 3, 0, 0, -50, "Sklep spożywczy", "Zakupy w sklepie", ""],
  [
    "wise-new.csv",
    ",",
    "utf-8",
    4,
    0,
    0,
    -35.5,
    "Restaurant New York",
    "Card transaction of 150.00 PLN issued by Res",
    "EUR",
  ],
  [
    "wise-old.csv",
    ",",
    "utf-8",
    4,
    0,
    0,
    -19.72,
    "Coffee Shop London",
    "Card transaction of 100.00 PLN issued by Cof",
    "EUR",
  ],
  ["ynab.csv", ",", "utf-8", 5, 0, 0, -1500, "Landlord", "January rent", ""],
];

describe.skipIf(noSamples)("I-03 bank CSV", () => {
  it.each(STATEMENTS)("%s keeps every cell", async (...row) => {
    const [file, delimiter, encoding, count, skips, at, amount, payee, purpose, currency] = row;
    const text = new TextDecoder(encoding).decode(readFileSync(join(process.env.PDPP_SAMPLES!, FOLDER, file)));
    const rows = cellsByLine(text.replace(/\r\n?/g, "\n"), delimiter);
    const { bookings, accounts, skipped, failed, refused } = await run(file);
    expect([refused, failed, skipped]).toEqual([[], [], skips]);
    expect(bookings).toHaveLength(count);
    const { counterparty = "", description = "", ...found } = bookings[at]!.data;
    expect([found.amount, counterparty, String(description).slice(0, 44), found.currency ?? ""]).toEqual([
      amount,
      payee,
      purpose,
      currency,
    ]);
    for (const { data, line } of bookings) {
      const { number = "" } = accounts.get(String(data.account))!;
      expect([line, lost(rows.get(line) ?? [], { ...data, number })]).toEqual([line, []]);
    }
  });

  it("the statements cover more than 60 files", () => {
    expect(new Set(STATEMENTS.map(([file]) => file)).size).toBeGreaterThan(60);
  });

  it("asks about signs if charges are positive, unless another column confirms the sign", async () => {
    const sign = async (file: string) => (await run(file)).questions!.find(({ id }) => id === "sign")?.default;
    expect([await sign("us-amex.csv"), await sign("us-amex-signed.csv")]).toEqual(["received", "spent"]);
    for (const file of ["de-dkb-new.csv", "nl-ing.csv", "csv2ofx-mint.csv", "uk-starling.csv", "revolut-2021.csv"])
      expect([file, await sign(file)]).toEqual([file, undefined]);
    const { bookings } = await run("us-amex.csv", { sign: "spent" });
    expect(bookings.map(({ data }) => data.amount).slice(0, 3)).toEqual([-62.5, 10.89, -10.89]);
  });
});
