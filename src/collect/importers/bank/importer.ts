// Bank statements: OFX, QFX, QIF, camt.053, MT940 and CSV, all read into the same streams. Overlapping statements are
// merged.
import { type Entry, headOf } from "../../entry.ts";
import { HEAD_BYTES, type ImportAnswers, type Importer, type ImporterQuestion } from "../../importer.ts";
import { decodeHead, type Encoding, encodingOf, textOf } from "../decode.ts";
import { estimate, matchesIn } from "../estimates.ts";
import { replayedRun } from "../replay.ts";
import { dateOrderOf, decimalMarkOf } from "./amounts.ts";
import { camtStatement } from "./camt.ts";
import {
  ACCOUNT,
  amountColumn,
  answeredConventions,
  type CsvConventions,
  conventionsOf,
  csvStatement,
  DATE_ORDER,
  DECIMAL_MARK,
  rowsOf,
  signQuestion,
} from "./csv.ts";
import { type CsvLayout, hasAmount, isStatement, layoutIdentity, layoutOf, withAnswers } from "./csv-layout.ts";
import { bankDeclaration } from "./declaration.ts";
import { isMt940, mt940Account, mt940Statement } from "./mt940.ts";
import { ofxStatement } from "./ofx.ts";
import { unescaped } from "./ofx-tokens.ts";
import { qifConventions, qifSamples, qifStatement } from "./qif.ts";
import { recordsOfStatement, type StatementItem } from "./statement.ts";

interface BankFile {
  format: "OFX" | "QIF" | "camt" | "MT940" | "CSV";
  score: number;
  reason: string;
  /** Key and name of the connection: the bank, if the file names it. */
  bank: { key: string; name: string };
  layout?: CsvLayout;
}

/**
 * How many rows are sampled to detect the date and amount formats of a CSV file. This covers years of a household's
 * transactions.
 */
const SAMPLE_ROWS = 5000;

function look(path: string, head: Uint8Array): BankFile | undefined {
  const text = decodeHead(head);
  if (/^\s*OFXHEADER\s*:/.test(text) || /<\?OFX\s/i.test(text) || /^\s*(?:<\?xml[^>]*>\s*)?<OFX>/i.test(text)) {
    return { format: "OFX", score: 97, reason: "OFX bank statement", bank: ofxBank(text) };
  }
  if (/<(?:\w+:)?Document[^>]*camt\.05[234]/.test(text)) {
    return { format: "camt", score: 97, reason: "camt bank statement (ISO 20022)", bank: camtBank(text) };
  }
  if (isMt940(text)) {
    const account = mt940Account(text);
    const iban = account !== undefined && /^[A-Z]{2}\d{2}[A-Z0-9]{8,}/.test(account) ? account : undefined;
    const bank = iban === undefined ? { key: "mt940", name: "Bank (MT940)" } : ibanBank(iban);
    return { format: "MT940", score: 96, reason: "MT940 bank statement (SWIFT)", bank };
  }
  const isQif = /^\s*(?:#[^\n]*\n\s*)*!(?:Type:|Account|Option:|Clear:)/i.test(text);
  if (isQif || (/\.qif$/i.test(path) && /^!Type:/im.test(text))) {
    return { format: "QIF", score: 95, reason: "QIF bank statement", bank: { key: "qif", name: "Bank (QIF)" } };
  }
  if (!/\.(?:csv|tsv|txt|xls)$/i.test(path) || head.length === 0 || isBinary(head)) return undefined;
  const layout = layoutOf(text, path);
  if (layout === undefined || !isStatement(layout)) return undefined;
  const [iban, identity] = [layout.accountNumber, layoutIdentity(layout)];
  const unnamed = { key: `csv:${identity}`, name: `Bank statement (CSV ${identity.slice(0, 4)})` };
  const bank = iban === undefined ? unnamed : ibanBank(iban);
  const score = hasAmount(layout.columns) ? 65 : 40;
  return { format: "CSV", score, reason: "bank statement as CSV", bank, layout };
}

/** Several banks offer text files with the extension of a spreadsheet. */
const isBinary = (head: Uint8Array): boolean => head[0] === 0xd0 && head[1] === 0xcf;

function ofxBank(text: string): BankFile["bank"] {
  const value = (name: string): string | undefined =>
    unescaped(new RegExp(`<${name}>\\s*([^<\\r\\n]{1,100})`, "i").exec(text)?.[1] ?? "").trim() || undefined;
  const [org, code] = [value("ORG"), value("FID") ?? value("BANKID") ?? value("BROKERID") ?? value("INTU\\.BID")];
  const name = org ?? (code === undefined ? "Bank" : `Bank ${code}`);
  return { key: `ofx:${org ?? code ?? ""}`, name };
}

/** How many characters of the IBAN's account number identify the bank. The rest identifies the account. */
const BANK_CODE: Record<string, number> = { DE: 8, PL: 8, FR: 5, AT: 5, CH: 5, BE: 3, IT: 6 };

function ibanBank(iban: string): BankFile["bank"] {
  const country = iban.slice(0, 2);
  const code = iban.slice(4, 4 + (BANK_CODE[country] ?? 4));
  return { key: `iban:${country}${code}`, name: `Bank ${country} ${code}` };
}

function camtBank(text: string): BankFile["bank"] {
  const iban = /<(?:\w+:)?IBAN>\s*([A-Z0-9 ]{10,42})/.exec(text)?.[1]?.replaceAll(" ", "");
  return iban === undefined ? { key: "camt", name: "Bank (camt)" } : ibanBank(iban);
}

/** OFX has its own way of declaring a charset. */
function ofxEncoding(head: Uint8Array): Encoding {
  const guessed = encodingOf(head);
  if (guessed.startsWith("utf-16")) return guessed;
  const header = Buffer.from(head).toString("latin1", 0, 600);
  if (/ENCODING:\s*(?:UTF-8|UNICODE)|encoding="utf-8"/i.test(header)) return "utf-8";
  // Files so often declare USASCII with 1252 or 8859-1 but contain UTF-8 that the encoding is detected from the bytes
  // instead.
  return guessed;
}

async function headAndLook(entry: Entry): Promise<{ head: Uint8Array; seen: BankFile | undefined }> {
  const head = await headOf(entry, HEAD_BYTES);
  return { head, seen: look(entry.path, head) };
}

/** Detects the date and amount formats of this CSV file, as far as its rows reveal them. */
async function csvConventions(entry: Entry, layout: CsvLayout): Promise<CsvConventions> {
  const rows = [];
  for await (const row of rowsOf(() => textOf(entry), layout)) {
    if ("cells" in row) rows.push(row);
    if (rows.length >= SAMPLE_ROWS) break;
  }
  return conventionsOf(rows, layout);
}

async function* stated(entry: Entry, answers: ImportAnswers): AsyncGenerator<StatementItem> {
  const { head, seen } = await headAndLook(entry);
  const answered = answeredConventions(answers);
  const account = answers.account?.trim() || ACCOUNT.default!;
  if (seen === undefined) yield { problem: "it is not a known bank statement", offset: 0 };
  else if (seen.format === "OFX") {
    const whole = ofxEncoding(head) === "utf-8" ? textOf(entry) : textOf(entry, ofxEncoding(head));
    yield* ofxStatement(whole);
  } else if (seen.format === "camt") yield* camtStatement(textOf(entry));
  else if (seen.format === "MT940") yield* mt940Statement(textOf(entry));
  else if (seen.format === "QIF") yield* qifStatement(entry, await qifConventions(entry, answered), account);
  else {
    const layout = withAnswers(seen.layout!, answers);
    const known = await csvConventions(entry, layout);
    const [order, mark] = [known.order ?? answered.order, known.mark ?? answered.mark];
    const open = [
      ...(hasAmount(layout.columns) ? [] : ["amount_column"]),
      ...(order === undefined ? [DATE_ORDER.id] : []),
      ...(mark === undefined ? [DECIMAL_MARK.id] : []),
    ];
    if (order === undefined || mark === undefined || open.length > 0)
      yield { problem: `its dates or numbers are ambiguous; answer ${open.join(" and ")}`, offset: 0 };
    else {
      const answer = answers.sign ?? signQuestion(known).default;
      const sign = known.sign !== "unknown" ? known.sign : answer === "spent" ? "inverted" : "as written";
      yield* csvStatement(() => textOf(entry), layout, { ...known, order, mark, sign }, account);
    }
  }
}

async function questionsOf(entry: Entry, answers: ImportAnswers): Promise<ImporterQuestion[]> {
  const { seen } = await headAndLook(entry);
  if (seen?.format === "QIF") {
    const { dates, amounts } = await qifSamples(entry);
    const isUnsure = dates.length > 0 && dateOrderOf(dates) === undefined && !dates.some((text) => text.includes("'"));
    return [
      ...(isUnsure ? [{ ...DATE_ORDER, default: "mdy" }] : []),
      ...(decimalMarkOf(amounts) === undefined ? [{ ...DECIMAL_MARK, default: "." }] : []),
      ...(/^!Account/im.test(decodeHead(await headOf(entry, HEAD_BYTES))) ? [] : [ACCOUNT]),
    ];
  }
  if (seen?.layout === undefined) return [];
  const layout = withAnswers(seen.layout, answers);
  const conventions = await csvConventions(entry, layout);
  const { order, mark } = conventions;
  const { columns, accountNumber } = layout;
  const answered = answeredConventions(answers);
  return [
    ...(hasAmount(columns) ? [] : [amountColumn(layout)]),
    ...(conventions.sign === "unknown" ? [signQuestion(conventions)] : []),
    ...(order === undefined && answered.order === undefined ? [DATE_ORDER] : []),
    ...(mark === undefined && answered.mark === undefined ? [DECIMAL_MARK] : []),
    ...(accountNumber === undefined && columns.account === undefined ? [ACCOUNT] : []),
  ];
}

/** Matches once per transaction. CSV is counted by rows. */
const ONE: Record<Exclude<BankFile["format"], "CSV">, RegExp> = {
  OFX: /<(?:STMTTRN|INVTRAN)>/gi,
  QIF: /^\^/gm,
  camt: /<(?:\w+:)?Ntry>/g,
  MT940: /^:61:/gm,
};
/** Sections of a QIF file without transactions. */
const QIF_LISTS = /^!(?:Account|Option|Clear|Type:(?:Cat|Class|Memorized|Security|Prices|Budget))[^!]*/gim;

/** `text` is the beginning of the file. */
async function bookingsAbout(text: string, { path }: Entry): Promise<number> {
  const seen = look(path, Buffer.from(text, "latin1").subarray(0, HEAD_BYTES));
  if (seen === undefined) return 0;
  if (seen.format === "QIF") return matchesIn(text.replace(QIF_LISTS, ""), ONE.QIF);
  if (seen.format !== "CSV") return matchesIn(text, ONE[seen.format]);
  async function* pieces(): AsyncGenerator<string> {
    yield text;
  }
  let count = 0;
  for await (const row of rowsOf(pieces, seen.layout!))
    if (!("cells" in row) || row.cells.some((cell) => cell.trim() !== "")) count++;
  return count;
}

export const bankImporter: Importer = {
  name: "bank",
  title: "Bank statements (OFX, QFX, QIF, camt.053, MT940, CSV)",
  from: ["Your bank: “download transactions”, preferably as OFX or camt.053"],
  recognise({ path, head }) {
    const seen = look(path, head);
    if (seen === undefined) {
      const isPdf =
        /(?:statement|kontoauszug|relev[ée])/i.test(path) &&
        Buffer.from(head.subarray(0, 5)).toString("latin1") === "%PDF-";
      if (!isPdf) return undefined;
      return {
        score: 60,
        reason: "a bank statement as a PDF",
        advice: "export it from the bank as OFX, camt.053 or CSV",
      };
    }
    return {
      score: seen.score,
      reason: seen.reason,
      group: seen.bank.name,
    };
  },
  async plan({ entries }, answers) {
    const questions = new Map<string, ImporterQuestion>();
    let bank: BankFile["bank"] | undefined;
    for (const entry of entries) {
      const { seen } = await headAndLook(entry);
      bank ??= seen?.bank;
      for (const question of await questionsOf(entry, answers))
        if (!questions.has(question.id)) questions.set(question.id, question);
    }
    const unnamed = questions.has("account") && entries.length > 1;
    return {
      account: bank ?? { key: "bank", name: "Bank" },
      declaration: bankDeclaration,
      streams: [
        { stream: "transactions", ...(await estimate(entries, bookingsAbout)) },
        { stream: "accounts" },
        { stream: "balances" },
      ],
      questions: [...questions.values()],
      warnings: unnamed
        ? [
            "Statements that do not name an account are all assigned to the same account; import statements from different accounts separately.",
          ]
        : [],
    };
  },
  run: (input, context) =>
    replayedRun(input, context, (entry) => recordsOfStatement(entry, stated(entry, context.answers), context.makeId)),
};
