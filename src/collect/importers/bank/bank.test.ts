// Bank statements: every format with results calculated by hand, overlapping statements, ambiguous dates, and damaged
// files.
import { expect, it } from "vitest";
import { parseDeclaration } from "../../../core/declaration-check.ts";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { dateOrderOf, dayOf, decimalMarkOf, decimalText } from "./amounts.ts";
import { bankDeclaration } from "./declaration.ts";
import { bankImporter } from "./importer.ts";
import { ofxTime } from "./ofx.ts";

const booking = (fitid: string, amount: string, name: string) =>
  `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240531120000[-5:EST]<TRNAMT>${amount}<FITID>${fitid}<NAME>${name}</STMTTRN>\n`;
const ofx = (...bookings: string[]) =>
  `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS>` +
  `<FI><ORG>Liffey<FID>1</FI></SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>99<ACCTID>1234567890` +
  `<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${bookings.join("")}</BANKTRANLIST><LEDGERBAL><BALAMT>10.00<DTASOF>20240601</LEDGERBAL>` +
  `</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;

const OFX2 = `<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="211"?><OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS>
<CURDEF>USD</CURDEF><CCACCTFROM><ACCTID>4111</ACCTID></CCACCTFROM><BANKTRANLIST>
<STMTTRN><TRNTYPE>POS</TRNTYPE><DTPOSTED>20240229</DTPOSTED><TRNAMT>-12345678901234567.89</TRNAMT><FITID>A</FITID><NAME><![CDATA[Fish & Chips]]></NAME><MEMO>a &lt; b</MEMO></STMTTRN>
<STMTTRN><TRNTYPE>POS</TRNTYPE><DTPOSTED>20240230</DTPOSTED><TRNAMT>-1</TRNAMT><FITID>B</FITID></STMTTRN>
<STMTTRN><TRNTYPE>POS</TRNTYPE><DTPOSTED>20240301</DTPOSTED><TRNAMT>$1</TRNAMT><FITID>C</FITID></STMTTRN>
</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>`;

const QIF = `!Account\nNGirokonto\nTBank\n^\n!Type:Bank\nD22/12/2017\nT-1,234.50\nPRent\nMDecember\nCX\nLHome:Rent\n^\nD05/01/2018\nT-10.00\nPShop\nSFood\nEbread\n$-4.00\nSHome\n$-6.00\n^\n`;

const CAMT = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">7.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Dt><Dt>2024-05-31</Dt></Dt></Bal>
<Ntry><Amt Ccy="EUR">12.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2024-05-30</Dt></BookgDt><AcctSvcrRef>R1</AcctSvcrRef>
<NtryDtls><TxDtls><RltdPties><Cdtr><Pty><Nm>Bäcker</Nm></Pty></Cdtr><CdtrAcct><Id><IBAN>DE99</IBAN></Id></CdtrAcct></RltdPties><RmtInf><Ustrd>Brot</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">3.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2024-05-31</Dt></BookgDt>
<NtryDtls><TxDtls><Amt Ccy="EUR">1.00</Amt><RltdPties><Dbtr><Nm>A</Nm></Dbtr></RltdPties></TxDtls><TxDtls><Amt Ccy="EUR">2.00</Amt></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">9.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>PDNG</Sts></Ntry></Stmt></BkToCstmrStmt></Document>`;

const CSV_DE = `Kontonummer:;DE02 1203 0000 0000 2020 51\r\n\r\nBuchungstag;Wertstellung;Auftraggeber / Begünstigter;Verwendungszweck;Betrag (EUR);Saldo\r\n31.05.2024;01.06.2024;"Bäcker; Sohn";Brot;-1.234,50;10,00\r\n31.05.2024;01.06.2024;Arbeit;Lohn;2.000,00;2.010,00\r\nSumme;;;;;\r\n`;
const CSV_US = `Date,Description,Debit,Credit\n05/31/2024,Coffee,3.50,\n05/31/2024,Coffee,3.50,\n06/01/2024,Pay,,"1,200.00"\n06/02/2024,Broken,abc,\n`;

const run = async (path: string, content: string | Buffer, answers = {}) => {
  const events = await collect(bankImporter, [memoryEntry(path, content)], { answers });
  return {
    transactions: recordsOf(events, "transactions").map(({ data }) => data),
    accounts: recordsOf(events, "accounts").map(({ data }) => data),
    balances: recordsOf(events, "balances").map(({ data }) => data),
    errors: events.flatMap((event) => (event.kind === "error" ? [event.message] : [])),
    skips: events.flatMap((event) => (event.kind === "skip" ? [event.reason] : [])),
  };
};

it("P-05 OFX 1: unclosed values, the account, the balance", async () => {
  const { transactions, accounts, balances, errors } = await run(
    "a.ofx",
    ofx(booking("1", "-3.50", "Caf&amp;eacute; &amp; Co"), booking("2", "+0010.00", "B")),
  );
  expect(errors).toEqual([]);
  expect(accounts).toMatchObject([
    { number: "1234567890", bank: "Liffey", bank_code: "99", type: "CHECKING", currency: "EUR" },
  ]);
  expect(transactions).toMatchObject([
    {
      booked_on: "2024-05-31",
      booked_at: "2024-05-31T12:00:00-05:00",
      amount: -3.5,
      amount_text: "-3.50",
      currency: "EUR",
      reference: "1",
    },
    { amount: 10, amount_text: "10.00", counterparty: "B", kind: "DEBIT", account: accounts[0]!.id },
  ]);
  expect(String(accounts[0]!.id)).not.toContain("1234567890");
  expect(balances).toMatchObject([{ day: "2024-06-01", kind: "ledger", amount_text: "10.00" }]);
});

it("P-05 OFX 2: XML and exact amounts; an invalid transaction does not affect the others", async () => {
  const { transactions, errors } = await run("a.qfx", OFX2);
  expect(transactions).toMatchObject([
    { amount_text: "-12345678901234567.89", counterparty: "Fish & Chips", description: "a < b" },
  ]);
  expect(errors).toEqual(['transaction B: "20240230" is not a date', 'transaction C: "$1" is not an amount']);
});

it("P-05 OFX: transactions with the same reference are kept apart if they differ, and merged if they are equal", async () => {
  const { transactions, skips } = await run(
    "a.ofx",
    ofx(booking("1", "-1", "A"), booking("1", "-2", "A"), booking("1", "-1", "A")),
  );
  expect(transactions.map(({ amount }) => amount)).toEqual([-1, -2]);
  expect(skips).toEqual(["the statement has this transaction twice"]);
});

it("P-05 OFX: trades are transactions with their security; holdings are skipped with a reason", async () => {
  const text = ofx().replace(
    "<LEDGERBAL>",
    "<INVTRANLIST><BUYSTOCK><INVBUY><INVTRAN><FITID>T1<DTTRADE>20240102<MEMO>bought</INVTRAN><SECID><UNIQUEID>US0378<UNIQUEIDTYPE>CUSIP</SECID><UNITS>3<UNITPRICE>10.5<TOTAL>-31.50</INVBUY><BUYTYPE>BUY</BUYSTOCK><TRANSFER><INVTRAN><FITID>T2<DTTRADE>20240102</INVTRAN><UNITS>3</TRANSFER></INVTRANLIST><INVPOSLIST><POSSTOCK><INVPOS><UNITS>3</INVPOS></POSSTOCK></INVPOSLIST><LEDGERBAL>",
  );
  const { transactions, skips } = await run("a.ofx", text);
  expect(transactions).toMatchObject([
    { kind: "buy", security: "US0378", units: "3", unit_price: "10.5", amount: -31.5, description: "bought" },
  ]);
  expect(skips).toHaveLength(2);
});

it("P-05 QIF: a day above 12 determines the date order; splits become parts", async () => {
  const { transactions, accounts } = await run("a.qif", QIF);
  expect(accounts).toMatchObject([{ name: "Girokonto", type: "Bank" }]);
  expect(transactions).toMatchObject([
    {
      booked_on: "2017-12-22",
      amount: -1234.5,
      amount_text: "-1234.50",
      counterparty: "Rent",
      category: "Home:Rent",
      status: "reconciled",
    },
    {
      booked_on: "2018-01-05",
      parts: [
        { amount: -4, category: "Food", description: "bread" },
        { amount_text: "-6.00", category: "Home" },
      ],
    },
  ]);
});

it("P-05 camt.053: debit and credit, parts of a batch entry; pending entries are skipped", async () => {
  const { transactions, accounts, balances, skips } = await run("a.xml", CAMT);
  expect(accounts).toMatchObject([{ number: "DE02120300000000202051", currency: "EUR" }]);
  expect(balances).toMatchObject([{ kind: "closing", amount: -7.5 }]);
  expect(transactions).toMatchObject([
    { amount: -12, counterparty: "Bäcker", counterparty_account: "DE99", description: "Brot", reference: "R1" },
    { amount: 3, parts: [{ amount: 1, counterparty: "A" }, { amount: 2 }] },
  ]);
  expect(skips).toEqual(["not booked yet"]);
});

it("SECURITY row 16: a document type declaration in camt is refused", async () => {
  const bomb = CAMT.replace("?>", '?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>').replace("Brot", "&b;");
  expect(await run("a.xml", bomb)).toMatchObject({ transactions: [], errors: [expect.stringContaining("refused")] });
});

it("P-05 CSV, German: lines above the header, decimal comma, quotes, Latin-1", async () => {
  for (const bytes of [Buffer.from(CSV_DE), Buffer.from(CSV_DE, "latin1"), Buffer.from(`\ufeff${CSV_DE}`, "utf16le")]) {
    const { transactions, accounts, skips } = await run("umsaetze.csv", bytes);
    expect(accounts).toMatchObject([{ number: "DE02120300000000202051" }]);
    expect(transactions).toMatchObject([
      {
        booked_on: "2024-05-31",
        value_on: "2024-06-01",
        amount: -1234.5,
        amount_text: "-1234.50",
        counterparty: "Bäcker; Sohn",
        balance: 10,
      },
      { amount: 2000, description: "Lohn" },
    ]);
    expect(skips).toHaveLength(1);
  }
});

it("P-05 CSV, American: debit and credit columns; equal transactions stay separate; an invalid one causes one error", async () => {
  const { transactions, errors } = await run("x.csv", CSV_US);
  expect(transactions.map(({ amount_text }) => amount_text)).toEqual(["-3.50", "-3.50", "1200.00"]);
  expect(new Set(transactions.map(({ id }) => id)).size).toBe(3);
  expect(errors).toEqual(['"abc" is not an amount']);
});

it("P-05 CSV: asks only if both interpretations are possible", async () => {
  const doubtful = 'Date,Description,Amount\n03/04/2024,A,"1,234"\n';
  const questions = async (text: string, answers = {}) =>
    (await bankImporter.plan({ name: "x", entries: [memoryEntry("x.csv", text)] }, answers)).questions!.map(
      ({ id }) => id,
    );
  expect(await questions(doubtful)).toEqual(["sign", "date_order", "decimal_mark", "account"]);
  expect(await questions(CSV_US)).toEqual(["account"]);
  expect(await questions(CSV_DE)).toEqual([]);
  expect((await run("x.csv", doubtful)).errors).toHaveLength(1);
  const answers = { date_order: "dmy", decimal_mark: "." };
  expect((await run("x.csv", doubtful, answers)).transactions).toMatchObject([
    { booked_on: "2024-04-03", amount: 1234 },
  ]);
});

it("P-05 CSV: if amounts have no sign, another column or the answer determines it", async () => {
  const amounts = async (text: string, answers = {}) =>
    (await run("x.csv", text, answers)).transactions.map(({ amount }) => amount);
  expect(
    await amounts("Datum;Naam / Omschrijving;Af Bij;Bedrag (EUR)\n20240531;Winkel;Af;3,50\n20240601;Baas;Bij;10,00\n"),
  ).toEqual([-3.5, 10]);
  expect(
    await amounts("Date,Description,Transaction Type,Amount\n5/31/2024,Shop,debit,3.50\n6/1/2024,Pay,credit,9\n"),
  ).toEqual([-3.5, 9]);
  const card = `Date,Description,Amount\n${[1, 2, 3, 4, 5].map((n) => `2024-05-0${n},Shop,${n}.50\n`).join("")}`;
  const { questions } = await bankImporter.plan({ name: "x", entries: [memoryEntry("x.csv", card)] }, {});
  expect(questions!.map(({ id }) => id)).toEqual(["sign", "account"]);
  expect(await amounts(card)).toEqual([1.5, 2.5, 3.5, 4.5, 5.5]);
  expect(await amounts(card, { sign: "spent" })).toEqual([-1.5, -2.5, -3.5, -4.5, -5.5]);
});

it("P-05 CSV: asks for a column that no heading identifies", async () => {
  const text = "Date,Text,Movement,Balance\n2024-05-30,Shop,-3.50,10.00\n2024-05-31,Pay,5.00,15.00\n";
  const { questions } = await bankImporter.plan({ name: "x", entries: [memoryEntry("x.csv", text)] }, {});
  expect(questions![0]).toMatchObject({
    id: "amount_column",
    options: [{ value: "Date" }, { value: "Text" }, { value: "Movement" }, { value: "Balance" }],
  });
  expect((await run("x.csv", text)).errors).toEqual(["its dates or numbers are ambiguous; answer amount_column"]);
  const { transactions } = await run("x.csv", text, { amount_column: "Movement", description_column: "Text" });
  expect(transactions).toMatchObject([{ amount: -3.5, description: "Shop", balance: 10 }, { amount: 5 }]);
});

it("P-05 overlapping statements are merged, whatever their file names", async () => {
  const keys = async (path: string, text: string) =>
    recordsOf(await collect(bankImporter, [memoryEntry(path, text)])).map(({ key }) => key);
  const header = "Date,Description,Amount\n";
  const [first, second, third] = [
    "2024-05-30,Fee,-1.00\n",
    "2024-05-31,Coffee,-3.50\n2024-05-31,Coffee,-3.50\n",
    "2024-06-01,Pay,5.00\n",
  ];
  const may = await keys("may.csv", header + first + second);
  const june = await keys("june (1).csv", header + second + third);
  expect(june.filter((key) => may.includes(key))).toHaveLength(3);
  expect(new Set([...may, ...june]).size).toBe(1 + 4);
  const one = await keys("one.ofx", ofx(booking("1", "-1", "A"), booking("2", "-2", "B")));
  const two = await keys("two.ofx", ofx(booking("2", "-2", "B"), booking("3", "-3", "C")));
  expect(new Set([...one, ...two]).size).toBe(1 + 3 + 1);
});

it("amounts and dates are parsed as banks write them", () => {
  const amounts: [string, "." | ",", string | undefined][] = [
    ["-00000000001500.0000", ".", "-1500.0000"],
    ["1.234.567,89 €", ",", "1234567.89"],
    ["(12.50)", ".", "-12.50"],
    ["12,50-", ",", "-12.50"],
    ["1'234.50", ".", "1234.50"],
    ["100.00 DR", ".", "-100.00"],
    ["EUR 5,00", ",", "5.00"],
    [".5", ".", "0.5"],
    ["-0.00", ".", "0.00"],
    ["12a", ".", undefined],
    ["", ".", undefined],
  ];
  for (const [raw, mark, text] of amounts) expect([raw, decimalText(raw, mark)]).toEqual([raw, text]);
  expect(decimalMarkOf(["1,234", "5,00"])).toBe(",");
  expect(decimalMarkOf(["1,234"])).toBeUndefined();
  expect(dayOf("2/10'2020", "mdy")).toBe("2020-02-10");
  expect(dayOf("1/ 1'00", "mdy")).toBe("2000-01-01");
  expect(dayOf("31-May-24", "mdy")).toBe("2024-05-31");
  expect(dayOf("31.02.2024", "dmy")).toBeUndefined();
  expect(dateOrderOf(["01/02/2024", "01/03/2024", "02/01/2024"])).toBe("mdy");
  expect(dateOrderOf(["03/04/2024"])).toBeUndefined();
  expect(ofxTime("20240531")).toEqual({ day: "2024-05-31" });
  expect(ofxTime("20240531093000.000[+5.30:IST]")).toEqual({ day: "2024-05-31", instant: "2024-05-31T09:30:00+05:30" });
});

it("P-05 each format is recognised by its content", () => {
  expect(recognised(bankImporter, "x.bin", ofx())?.score).toBe(97);
  expect(recognised(bankImporter, "x.xml", CAMT)?.score).toBe(97);
  expect(recognised(bankImporter, "x.txt", QIF)?.score).toBe(95);
  expect(recognised(bankImporter, "x.csv", CSV_DE)?.score).toBe(65);
  expect(recognised(bankImporter, "orders.csv", "id,date,amount\n1,2024-01-01,5\n")).toBeUndefined();
  expect(recognised(bankImporter, "Statement May.pdf", "%PDF-1.7")?.advice).toContain("OFX");
});

it("P-05 produces the same records in every run, resumes from every checkpoint, and matches its declaration", async () => {
  parseDeclaration(bankDeclaration);
  const many = Array.from({ length: 1500 }, (_, n) => booking(String(n + 1), `-${n}.10`, `Shop ${n % 7}`));
  const entries = [
    memoryEntry("a.ofx", ofx(...many)),
    memoryEntry("b.csv", CSV_US),
    memoryEntry("c.xml", CAMT),
    memoryEntry("d.qif", QIF),
  ];
  await repeatsAndResumes(bankImporter, entries);
  expect(await refusals(bankImporter, entries)).toEqual([]);
});

it("SECURITY row 16: truncated and damaged statements never crash the parser", async () => {
  const files = {
    "a.ofx": ofx(booking("1", "-3.50", "A"), booking("2", "-4", "B")),
    "b.qfx": OFX2,
    "c.qif": QIF,
    "d.xml": CAMT,
    "e.csv": CSV_DE,
    "f.csv": CSV_US,
  };
  for (const [path, text] of Object.entries(files)) await hostile(bankImporter, path, Buffer.from(text));
});
