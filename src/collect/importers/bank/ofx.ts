// OFX and QFX statements: bank, credit card and investment accounts.
import { decimalText } from "./amounts.ts";
import { ofxTokens } from "./ofx-tokens.ts";
import type { Booking, StatedAccount, StatementItem } from "./statement.ts";

const ACCOUNTS = ["BANKACCTFROM", "CCACCTFROM", "INVACCTFROM"];
/** Investment transactions that move money, and the names used for them here. */
const TRADES: Record<string, string> = {
  BUYDEBT: "buy",
  BUYMF: "buy",
  BUYOPT: "buy",
  BUYOTHER: "buy",
  BUYSTOCK: "buy",
  SELLDEBT: "sell",
  SELLMF: "sell",
  SELLOPT: "sell",
  SELLOTHER: "sell",
  SELLSTOCK: "sell",
  INCOME: "income",
  INVEXPENSE: "expense",
  MARGININTEREST: "margin interest",
  REINVEST: "reinvest",
  RETOFCAP: "return of capital",
  CLOSUREOPT: "option closure",
  JRNLFUND: "journal",
  JRNLSEC: "journal",
  SPLIT: "split",
  TRANSFER: "transfer",
};
const POSITION = /^POS(?:DEBT|MF|OPT|OTHER|STOCK)$/;
const BALANCES: Record<string, string> = { LEDGERBAL: "ledger", AVAILBAL: "available" };
const AGGREGATES = new Set([
  ...ACCOUNTS,
  ...Object.keys(TRADES),
  ...Object.keys(BALANCES),
  ..."OFX STMTTRN STATUS FI CURRENCY ORIGCURRENCY PAYEE BANKACCTTO CCACCTTO BANKTRANLIST INVTRANLIST STMTRS CCSTMTRS".split(
    " ",
  ),
  ..."INVSTMTRS STMTTRNRS CCSTMTTRNRS INVSTMTTRNRS ACCTINFO SECINFO SONRS INVPOS".split(" "),
]);
const isAggregate = (name: string): boolean => AGGREGATES.has(name) || POSITION.test(name);
const DEPTH_MAX = 40;

interface OfxAggregate {
  name: string;
  offset: number;
  values: Map<string, string>;
}

/** Finds a value of a transaction, including values in nested aggregates. */
const find = ({ values }: OfxAggregate, ...names: string[]): string | undefined => {
  for (const name of names) if (values.get(name) !== undefined) return values.get(name);
  return undefined;
};

export async function* ofxStatement(pieces: AsyncIterable<string>): AsyncGenerator<StatementItem> {
  const stack: OfxAggregate[] = [];
  let account: StatedAccount | undefined;
  let currency: string | undefined;
  let bank: string | undefined;
  let description: string | undefined;

  const finish = function* (aggregate: OfxAggregate): Generator<StatementItem> {
    const { name, offset } = aggregate;
    if (ACCOUNTS.includes(name)) {
      account = accountOf(aggregate, { currency, bank, description });
      if (account === undefined) yield { problem: "an account without a number", offset };
      else yield { account };
    } else if (name === "STMTTRN" || TRADES[name] !== undefined) yield booked(aggregate, account);
    else if (BALANCES[name] !== undefined) yield* balance(aggregate, account);
    else if (POSITION.test(name))
      yield { skipped: "a holding, not a payment: positions in investment accounts are not imported", offset };
    else if (name === "STATUS" && find(aggregate, "SEVERITY") === "ERROR") {
      yield {
        problem: `the bank reported: ${find(aggregate, "MESSAGE") ?? `error ${find(aggregate, "CODE")}`}`,
        offset,
      };
    } else if (name === "FI") bank = find(aggregate, "ORG");
    // A value in a nested part belongs to the transaction, unless the transaction has that value itself.
    const outer = stack.at(-1);
    const isPart =
      outer !== undefined &&
      (outer.name === "STMTTRN" || TRADES[outer.name] !== undefined || POSITION.test(outer.name));
    // ORIGCURRENCY is the currency before the bank's conversion.
    if (isPart && name !== "STMTTRN" && name !== "ORIGCURRENCY")
      for (const [key, value] of aggregate.values) if (!outer.values.has(key)) outer.values.set(key, value);
  };

  function* closeThrough(name: string): Generator<StatementItem> {
    if (!stack.some((one) => one.name === name)) return;
    while (stack.length > 0) {
      const last = stack.pop()!;
      yield* finish(last);
      if (last.name === name) return;
    }
  }

  for await (const token of ofxTokens(pieces, isAggregate)) {
    if ("open" in token) {
      // The previous transaction was never closed.
      if (token.open === "STMTTRN" || TRADES[token.open] !== undefined) yield* closeThrough(token.open);
      if (/STMTRS$/.test(token.open)) {
        account = undefined;
        currency = undefined;
      }
      if (token.open === "ACCTINFO") {
        description = undefined;
        currency = undefined;
      }
      if (stack.length < DEPTH_MAX) stack.push({ name: token.open, offset: token.offset, values: new Map() });
    } else if ("close" in token) yield* closeThrough(token.close);
    else {
      if (token.name === "CURDEF") currency = currencyCode(token.value);
      if (token.name === "DESC" && stack.at(-1)?.name === "ACCTINFO") description = token.value;
      const values = stack.at(-1)?.values;
      if (values !== undefined && !values.has(token.name)) values.set(token.name, token.value);
    }
  }
  const broken = stack.findLast(({ name }) => name === "STMTTRN" || TRADES[name] !== undefined);
  if (broken !== undefined) yield { problem: "the file ends inside a transaction", offset: broken.offset };
  else if (stack.length > 0)
    yield { problem: "the file ends too early: it may be incomplete", offset: stack.at(-1)!.offset };
}

interface StatementContext {
  currency: string | undefined;
  bank: string | undefined;
  description: string | undefined;
}

function accountOf(
  aggregate: OfxAggregate,
  { currency, bank, description }: StatementContext,
): StatedAccount | undefined {
  const number = find(aggregate, "ACCTID");
  if (number === undefined) return undefined;
  const code = find(aggregate, "BANKID", "BROKERID") ?? "";
  const fixed =
    aggregate.name === "CCACCTFROM" ? "CREDITCARD" : aggregate.name === "INVACCTFROM" ? "INVESTMENT" : undefined;
  return {
    identity: `ofx ${code} ${number}`,
    number,
    ...(code === "" ? {} : { bank_code: code }),
    ...(bank === undefined ? {} : { bank }),
    ...(description === undefined ? {} : { name: description }),
    type: fixed ?? find(aggregate, "ACCTTYPE") ?? "",
    ...(currency === undefined ? {} : { currency }),
  };
}

function booked(aggregate: OfxAggregate, account: StatedAccount | undefined): StatementItem {
  const { name, offset } = aggregate;
  const reference = find(aggregate, "FITID");
  const place = `transaction ${reference ?? "without a reference"}`;
  if (account === undefined) return { problem: `${place} is outside any account`, offset };
  const raw = find(aggregate, "TRNAMT", "TOTAL");
  if (raw === undefined && TRADES[name] !== undefined)
    return { skipped: `${TRADES[name]} of securities without a cash amount`, offset };
  const amount = raw === undefined ? undefined : ofxAmount(raw);
  if (amount === undefined)
    return {
      problem: `${place}: ${raw === undefined ? "it has no amount" : `${JSON.stringify(raw)} is not an amount`}`,
      offset,
    };
  const posted = find(aggregate, "DTPOSTED", "DTTRADE");
  const time = posted === undefined ? undefined : ofxTime(posted);
  if (time === undefined)
    return {
      problem: `${place}: ${posted === undefined ? "it has no date" : `${JSON.stringify(posted)} is not a date`}`,
      offset,
    };
  const valued = find(aggregate, "DTAVAIL", "DTSETTLE");
  const value_on = valued === undefined ? undefined : ofxTime(valued)?.day;
  const booking: Booking = {
    booked_on: time.day,
    amount_text: amount,
    ...(time.instant === undefined ? {} : { booked_at: time.instant }),
    ...(value_on === undefined ? {} : { value_on }),
    ...(reference === undefined ? {} : { reference }),
    counterparty: find(aggregate, "NAME") ?? "",
    description: find(aggregate, "MEMO") ?? "",
    kind:
      name === "STMTTRN"
        ? (find(aggregate, "TRNTYPE") ?? "")
        : (find(aggregate, "INCOMETYPE")?.toLowerCase() ?? TRADES[name]!),
    check_number: /^0*$/.test(find(aggregate, "CHECKNUM") ?? "") ? "" : find(aggregate, "CHECKNUM")!,
    security: find(aggregate, "UNIQUEID") ?? "",
    units: decimalText(find(aggregate, "UNITS") ?? "", ".") ?? "",
    unit_price: decimalText(find(aggregate, "UNITPRICE") ?? "", ".") ?? "",
  };
  const ownCode = currencyCode(find(aggregate, "CURSYM") ?? "");
  return { booking: ownCode === undefined ? booking : { ...booking, currency: ownCode }, account, offset };
}

function* balance(aggregate: OfxAggregate, account: StatedAccount | undefined): Generator<StatementItem> {
  const raw = find(aggregate, "BALAMT");
  const day = ofxTime(find(aggregate, "DTASOF") ?? "")?.day;
  const amount_text = raw === undefined ? undefined : ofxAmount(raw);
  // A bank that has no balance to report writes an empty one, so nothing is lost by skipping it.
  if (account === undefined || raw === undefined) return;
  if (amount_text === undefined || day === undefined) {
    yield { problem: `balance ${JSON.stringify(raw)} has no amount or no date`, offset: aggregate.offset };
    return;
  }
  yield { balance: { kind: BALANCES[aggregate.name]!, day, amount_text }, account, offset: aggregate.offset };
}

const currencyCode = (text: string): string | undefined =>
  /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : undefined;

/** OFX allows a comma as the decimal mark, but no grouping. */
function ofxAmount(raw: string): string | undefined {
  if (!/^[+-]?[\d.,]+$/.test(raw)) return undefined;
  const last = Math.max(raw.lastIndexOf("."), raw.lastIndexOf(","));
  return decimalText(raw, last !== -1 && raw[last] === "," ? "," : ".");
}

/** Fractions of an hour, in hundredths or in minutes, because banks write both. */
const ZONE_PARTS: Record<string, number> = {
  "0": 0,
  "00": 0,
  "5": 30,
  "50": 30,
  "30": 30,
  "25": 15,
  "15": 15,
  "75": 45,
  "45": 45,
};

/** `20090401122017.000[-5:EST]`. The day is kept as written; an instant is returned only if the zone is written too. */
export function ofxTime(raw: string): { day: string; instant?: string } | undefined {
  const found =
    /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(?:(\d\d)(\.\d{1,6})?)?)?(?:\[([+-]?\d{1,2})(?:[.:](\d{1,2}))?.*\])?/.exec(
      raw.trim(),
    );
  if (!found) return undefined;
  const [, year, month, date, hour, minute, second = "00", , zone, zonePart] = found;
  const midnight = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)));
  if (midnight.getUTCMonth() !== Number(month) - 1 || midnight.getUTCDate() !== Number(date)) return undefined;
  const day = `${year}-${month}-${date}`;
  if (hour === undefined || zone === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return { day };
  const hours = Math.abs(Number(zone));
  const minutes = zonePart === undefined ? 0 : ZONE_PARTS[zonePart];
  if (hours > 14 || minutes === undefined) return { day };
  const offset = `${zone.startsWith("-") ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
  return { day, instant: `${day}T${hour}:${minute}:${second}${offset}` };
}
