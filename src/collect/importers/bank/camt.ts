// camt.053 (and .052, .054): ISO 20022 statements, read entry by entry.
import { SaxesParser } from "saxes";
import { parsedPieces } from "../xml-pieces.ts";
import { decimalText } from "./amounts.ts";
import type { Balance, Booking, BookingPart, StatedAccount, StatementItem } from "./statement.ts";

interface Node {
  name: string;
  text: string;
  attributes: Record<string, string>;
  children: Node[];
}

/** Limits for one entry. Anything larger is an attack, or not an entry. */
const NODES_MAX = 50_000;
const TEXT_MAX = 64 * 1024;
const DEPTH_MAX = 60;
/** These elements are kept in full; all others are skipped. */
const KEPT = new Set(["Acct", "Bal", "Ntry"]);

const at = (node: Node | undefined, ...path: string[]): Node | undefined => {
  let found = node;
  for (const name of path) found = found?.children.find((child) => child.name === name);
  return found;
};
const textAt = (node: Node | undefined, ...path: string[]): string | undefined =>
  at(node, ...path)
    ?.text.replace(/\s+/g, " ")
    .trim() || undefined;
const all = (node: Node | undefined, name: string): Node[] =>
  node?.children.filter((child) => child.name === name) ?? [];

export async function* camtStatement(pieces: AsyncIterable<string>): AsyncGenerator<StatementItem> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const path: string[] = [];
  const open: Node[] = [];
  let nodes = 0;
  const ready: StatementItem[] = [];
  let account: StatedAccount | undefined;
  let begin = 0;
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", () => {
    throw new Error("it contains a DOCTYPE declaration, which no real statement has, so it was refused");
  });
  parser.on("opentag", ({ name: qualified, attributes }) => {
    const name = qualified.slice(qualified.indexOf(":") + 1);
    path.push(name);
    if (path.length > DEPTH_MAX) throw new Error(`nested more than ${DEPTH_MAX} levels deep`);
    if (open.length === 0 && !(KEPT.has(name) && /^(?:Stmt|Rpt|Ntfctn)$/.test(path.at(-2) ?? ""))) return;
    if (open.length === 0) begin = parser.position;
    if (++nodes > NODES_MAX) throw new Error(`an entry has more than ${NODES_MAX} parts`);
    const node: Node = { name, text: "", attributes: attributes as Record<string, string>, children: [] };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  const addText = (text: string): void => {
    const node = open.at(-1);
    if (node !== undefined && node.text.length < TEXT_MAX) node.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const name = path.pop();
    const node = open.pop();
    if (/^(?:Stmt|Rpt|Ntfctn)$/.test(name ?? "")) account = undefined;
    if (node === undefined || open.length > 0) return;
    nodes = 0;
    if (node.name === "Acct") {
      account = accountOf(node);
      ready.push(account === undefined ? { problem: "an account without a number", offset: begin } : { account });
    } else if (node.name === "Ntry") ready.push(booked(node, account, begin));
    else ready.push(...balanceOf(node, account, begin));
  });
  yield* parsedPieces(parser, pieces, ready);
}

function accountOf(node: Node): StatedAccount | undefined {
  const number =
    textAt(node, "Id", "IBAN") ?? textAt(node, "Id", "Othr", "Id") ?? textAt(node, "Id", "PrtryAcct", "Id");
  if (number === undefined) return undefined;
  const institution = at(node, "Svcr", "FinInstnId");
  return {
    identity: `camt ${number.replaceAll(" ", "")}`,
    number,
    name: textAt(node, "Nm") ?? textAt(node, "Ownr", "Nm") ?? "",
    bank: textAt(institution, "Nm") ?? "",
    bank_code: textAt(institution, "BICFI") ?? textAt(institution, "BIC") ?? "",
    type: textAt(node, "Tp", "Cd") ?? "",
    currency: textAt(node, "Ccy") ?? "",
  };
}

const signed = (amount: string, indicator: string | undefined): string =>
  indicator === "DBIT" && /[1-9]/.test(amount) ? `-${amount}` : amount;

function booked(node: Node, account: StatedAccount | undefined, offset: number): StatementItem {
  const reference = textAt(node, "AcctSvcrRef") ?? textAt(node, "NtryRef");
  if (account === undefined) return { problem: "an entry outside any account", offset };
  const status = textAt(node, "Sts", "Cd") ?? textAt(node, "Sts");
  if (status === "PDNG" || status === "INFO") return { skipped: "not booked yet", offset };
  const amount = decimalText(textAt(node, "Amt") ?? "", ".");
  if (amount === undefined)
    return {
      problem: `entry ${reference ?? ""}: ${JSON.stringify(textAt(node, "Amt") ?? "")} is not an amount`,
      offset,
    };
  const [booked_on, value_on] = [dayAt(node, "BookgDt"), dayAt(node, "ValDt")];
  const day = booked_on ?? value_on;
  if (day === undefined) return { problem: `entry ${reference ?? ""} has no date`, offset };
  const indicator = textAt(node, "CdtDbtInd");
  const details = all(node, "NtryDtls").flatMap((one) => all(one, "TxDtls"));
  const first = details[0];
  const booking: Booking = {
    booked_on: day,
    amount_text: signed(amount, indicator),
    ...(value_on === undefined ? {} : { value_on }),
    ...(reference === undefined ? {} : { reference }),
    currency: at(node, "Amt")?.attributes.Ccy ?? account.currency ?? "",
    kind: textAt(first, "BkTxCd", "Prtry", "Cd") ?? familyOf(node) ?? "",
    status: "booked",
    ...(details.length === 1 ? partyOf(first!, indicator) : {}),
    ...(details.length > 1 ? { parts: details.flatMap((one) => partOf(one, indicator)) } : {}),
  };
  booking.description ||= textAt(node, "AddtlNtryInf") ?? "";
  return { booking, account, offset };
}

const familyOf = (node: Node): string | undefined => {
  const codes = [
    textAt(node, "BkTxCd", "Domn", "Cd"),
    textAt(node, "BkTxCd", "Domn", "Fmly", "Cd"),
    textAt(node, "BkTxCd", "Domn", "Fmly", "SubFmlyCd"),
  ].filter((code) => code !== undefined);
  return codes.length > 0 ? codes.join("/") : textAt(node, "BkTxCd", "Prtry", "Cd");
};

/** The other party: the creditor of an outgoing payment, or the debtor of an incoming one. */
function partyOf(
  details: Node,
  indicator: string | undefined,
): Pick<Booking, "counterparty" | "counterparty_account" | "description"> {
  const parties = at(details, "RltdPties");
  const side = indicator === "DBIT" ? "Cdtr" : "Dbtr";
  const nameOf = (who: string): string | undefined => textAt(parties, who, "Nm") ?? textAt(parties, who, "Pty", "Nm");
  const remittance = at(details, "RmtInf");
  const purpose = [
    ...all(remittance, "Ustrd").map((one) => one.text),
    ...all(remittance, "Strd").map((one) => textAt(one, "CdtrRefInf", "Ref") ?? ""),
  ];
  return {
    counterparty: nameOf(side) ?? nameOf(`Ultmt${side}`) ?? "",
    counterparty_account:
      textAt(parties, `${side}Acct`, "Id", "IBAN") ?? textAt(parties, `${side}Acct`, "Id", "Othr", "Id") ?? "",
    description: purpose.join(" ").replace(/\s+/g, " ").trim() || (textAt(details, "AddtlTxInf") ?? ""),
  };
}

function partOf(details: Node, outer: string | undefined): BookingPart[] {
  const indicator = textAt(details, "CdtDbtInd") ?? outer;
  const raw = textAt(details, "Amt") ?? textAt(details, "AmtDtls", "TxAmt", "Amt");
  const amount = raw === undefined ? undefined : decimalText(raw, ".");
  if (amount === undefined) return [];
  const { counterparty = "", description = "" } = partyOf(details, indicator);
  return [{ amount_text: signed(amount, indicator), counterparty, description }];
}

const KINDS: Record<string, string> = {
  OPBD: "opening",
  PRCD: "opening",
  CLBD: "closing",
  CLAV: "available",
  ITBD: "interim",
};

function balanceOf(node: Node, account: StatedAccount | undefined, offset: number): StatementItem[] {
  const code = textAt(node, "Tp", "CdOrPrtry", "Cd") ?? "";
  const amount = decimalText(textAt(node, "Amt") ?? "", ".");
  const day = dayAt(node, "Dt");
  if (account === undefined || amount === undefined || day === undefined) {
    return [{ problem: `balance ${code} has no account, amount or date`, offset }];
  }
  const balance: Balance = {
    kind: KINDS[code] ?? code.toLowerCase(),
    day,
    amount_text: signed(amount, textAt(node, "CdtDbtInd")),
  };
  const currency = at(node, "Amt")?.attributes.Ccy;
  return [{ balance: currency === undefined ? balance : { ...balance, currency }, account, offset }];
}

function dayAt(node: Node, name: string): string | undefined {
  const text = textAt(node, name, "Dt") ?? textAt(node, name, "DtTm");
  const day = /^(\d{4}-\d\d-\d\d)/.exec(text ?? "")?.[1];
  return day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
    ? day
    : undefined;
}
