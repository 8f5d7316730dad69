// Bank statements from banks and finance programs (ofxparse, quiffen, actual).
import { describe, expect, it } from "vitest";
import { collect, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import { bankImporter } from "../../src/collect/importers/bank/importer.ts";
import { noSamples, sample } from "./samples.ts";

async function outcome(path: string) {
  const entries = [sample(path)];
  const events = await collect(bankImporter, entries);
  expect(await refusals(bankImporter, entries)).toEqual([]);
  const bookings = recordsOf(events, "transactions");
  const cents = bookings.reduce((sum, { data }) => sum + Math.round(Number(data.amount_text) * 10_000), 0);
  return {
    bookings: bookings.length,
    sum: cents / 10_000,
    accounts: recordsOf(events, "accounts").length,
    balances: recordsOf(events, "balances").length,
    skipped: events.filter(({ kind }) => kind === "skip").length,
    failed: events.filter(({ kind }) => kind === "error").length,
  };
}

describe.skipIf(noSamples)("P-05 OFX and QFX", () => {
  // Transactions: grep -o '<STMTTRN>' | wc -l, and '<TOTAL>' of trades (but not of INV401KBAL, which is a balance).
  // Sum: the values of TRNAMT and TOTAL in Python's Decimal. Accounts: '<(BANK|CC|INV)ACCTFROM>'. Balances:
  // '<(LEDGER|AVAIL)BAL>' with an amount. Skipped: '<POS(DEBT|MF|OPT|OTHER|STOCK)>' and '<TRANSFER>'. Failed: read
  // manually.
  it.each<[string, number, number, number, number, number, number]>([
    ["bank-ofx/account_listing_aggregation.ofx", 0, 0, 4, 0, 0, 0],
    ["bank-ofx/anzcc.ofx", 1, -5.5, 1, 2, 0, 0],
    ["bank-ofx/bank_medium.ofx", 3, -345.27, 1, 2, 0, 0],
    ["bank-ofx/bank_small.ofx", 0, 0, 0, 0, 0, 0],
    ["bank-ofx/checking.ofx", 3, -59.5, 1, 2, 0, 0],
    ["bank-ofx/error_message.ofx", 0, 0, 0, 0, 0, 1],
    ["bank-ofx/fidelity-savings.ofx", 4, -1778.3952, 1, 0, 0, 0],
    ["bank-ofx/fidelity.ofx", 17, -10526.67, 1, 0, 6, 0],
    ["bank-ofx/investment_401k.ofx", 1, -197.2, 1, 0, 5, 0],
    ["bank-ofx/investment_medium.ofx", 3, -3.95, 1, 0, 0, 0],
    ["bank-ofx/multiple_accounts.ofx", 0, 0, 2, 2, 0, 0],
    ["bank-ofx/multiple_accounts2.ofx", 0, 0, 2, 2, 0, 0],
    ["bank-ofx/ofx-v102-empty-tags.ofx", 1, 12.34, 1, 0, 0, 0],
    ["bank-ofx/signon_fail.ofx", 0, 0, 0, 0, 0, 1],
    ["bank-ofx/signon_success.ofx", 0, 0, 0, 0, 0, 0],
    ["bank-ofx/suncorp.ofx", 1, -16.85, 1, 2, 0, 0],
    ["bank-ofx/td_ameritrade.ofx", 0, 0, 1, 0, 2, 0],
    ["bank-ofx/tiaacref.ofx", 0, 0, 1, 0, 7, 0],
    ["bank-ofx/vanguard.ofx", 1, 4212.3, 1, 0, 2, 0],
    ["bank-ofx/vanguard401k.ofx", 4, -2019, 1, 0, 2, 0],
    ["bank-ofx/fail_nice/date_missing.ofx", 0, 0, 1, 1, 0, 3],
    ["bank-ofx/fail_nice/decimal_error.ofx", 0, 0, 1, 1, 0, 1],
    ["bank-ofx/fail_nice/empty_balance.ofx", 1, 120, 1, 0, 0, 0],
    ["bank-mixed/8859-1.qfx", 1, -20, 1, 2, 0, 0],
    ["bank-mixed/best.data-ever$.QFX", 10, -364.41, 1, 1, 0, 0],
    ["bank-mixed/credit-card.ofx", 1, -6, 1, 2, 0, 0],
    ["bank-mixed/data-multi-decimal.ofx", 2, -33.77, 1, 0, 0, 0],
    ["bank-mixed/data-payee-memo.ofx", 4, -100, 1, 1, 0, 0],
    ["bank-mixed/data.ofx", 10, -364.41, 1, 1, 0, 0],
    ["bank-mixed/data.qfx", 10, -364.41, 1, 1, 0, 0],
    ["bank-mixed/html-vals.qfx", 2, -2, 1, 2, 0, 0],
  ])("%s", async (path, bookings, sum, accounts, balances, skipped, failed) => {
    expect(await outcome(path)).toEqual({ bookings, sum, accounts, balances, skipped, failed });
  });

  it("the content matches a manual reading", async () => {
    const first = async (path: string) => recordsOf(await collect(bankImporter, [sample(path)]), "transactions")[0]!;
    expect((await first("bank-mixed/8859-1.qfx")).data).toMatchObject({
      counterparty: "Paiement facture/Carte prépayée",
      currency: "CAD",
    });
    expect((await first("bank-ofx/suncorp.ofx")).data).toMatchObject({
      counterparty: "EFTPOS WDL HANDYWAY ALDI STORE",
      booked_on: "2013-12-15",
    });
    expect((await first("bank-ofx/bank_medium.ofx")).data).toMatchObject({
      counterparty: "MCDONALD'S #112",
      booked_at: "2009-04-01T12:20:17-05:00",
      reference: "0000123456782009040100001",
    });
    expect((await first("bank-ofx/fidelity.ofx")).data).toMatchObject({
      kind: "buy",
      security: "458140100",
      units: "100.00000",
      amount_text: "-2571.4500",
    });
    expect((await first("bank-ofx/investment_medium.ofx")).data).toMatchObject({ currency: "USD", amount: -3.65 });
  });

  it("the same statement under three names is imported once", async () => {
    const names = ["data.ofx", "data.qfx", "best.data-ever$.QFX"];
    const events = await collect(
      bankImporter,
      names.map((name) => sample(`bank-mixed/${name}`)),
    );
    expect(new Set(recordsOf(events, "transactions").map(({ key }) => key)).size).toBe(10);
  });
});

describe.skipIf(noSamples)("P-05 QIF", () => {
  // Counted by a short Python loop: carets in the sections Bank and Oth A after a line that starts with T, and the sum
  // of their amounts in Decimal. Other non-empty pieces are skipped (checked manually).
  it.each<[string, number, number, number]>([
    ["bank-qif/test.qif", 6, -35.5, 9],
    ["bank-qif/test_category_inherit.qif", 0, 0, 2],
    ["bank-qif/test_category_override.qif", 4, 2077.44, 0],
    ["bank-qif/test_circular_reference.qif", 2, -14.59, 0],
    ["bank-qif/test_clear_autoswitch.qif", 0, 0, 0],
    ["bank-qif/test_nosymbol.qif", 0, 0, 1],
    ["bank-qif/test_option_autoswitch.qif", 0, 0, 0],
    ["bank-qif/test_oth_a.qif", 6, -35.5, 8],
    ["bank-qif/test_split.qif", 1, -10, 0],
    ["bank-qif/test_transaction_before_account_definition_1.qif", 2, -197.96, 0],
    ["bank-qif/test_transaction_before_account_definition_2.qif", 2, -197.96, 0],
    ["bank-qif/test_unknown_account_type.qif", 0, 0, 1],
    ["bank-mixed/big.data.QiF", 18, 394.06, 0],
    ["bank-mixed/data-payee-memo.qif", 4, -100, 0],
    ["bank-mixed/data.qif", 18, 394.06, 0],
    ["bank-mixed/qif-category.qif", 2, -120.73, 0],
  ])("%s", async (path, bookings, sum, skipped) => {
    expect(await outcome(path)).toMatchObject({ bookings, sum, skipped, failed: 0 });
  });

  it("the content matches a manual reading", async () => {
    const bookings = async (path: string) =>
      recordsOf(await collect(bankImporter, [sample(path)]), "transactions").map(({ data }) => data);
    expect((await bookings("bank-mixed/data.qif"))[1]).toMatchObject({
      booked_on: "2018-12-19",
      counterparty: expect.stringMatching(/^õSSELDORF KÖLN/),
    });
    expect((await bookings("bank-qif/test_category_override.qif")).map(({ booked_on }) => booked_on)).toEqual([
      "2017-12-22",
      "2018-01-01",
      "2018-01-02",
      "2018-01-02",
    ]);
    expect((await bookings("bank-qif/test.qif"))[5]).toMatchObject({
      counterparty: "Amazon.com",
      parts: [{ amount: -50 }, { amount: -25 }, { amount: -10 }, { amount: -15 }],
    });
    expect((await bookings("bank-qif/test_split.qif"))[0]).toMatchObject({ booked_on: "2000-01-01" });
  });
});

describe.skipIf(noSamples)("P-05 camt.053", () => {
  // Amounts and signs were extracted with a Python regular expression over <Ntry>.
  it.each<[string, number[]]>([
    ["bank-mixed/camt/camt.053.xml", [0.6, 0.5, -89.85, 1.2, -80, 3.45]],
    ["bank-mixed/camt/camt.053.payee-memo.xml", [-10, -20, -30, -40]],
  ])("%s", async (path, amounts) => {
    const events = await collect(bankImporter, [sample(path)]);
    expect(recordsOf(events, "transactions").map(({ data }) => data.amount)).toEqual(amounts);
    expect(events.filter(({ kind }) => kind === "error" || kind === "skip")).toEqual([]);
  });

  it("X-13 the content and position of one transaction match a manual reading", async () => {
    const events = await collect(bankImporter, [sample("bank-mixed/camt/camt.053.xml")]);
    const [first] = recordsOf(events, "transactions");
    expect(first).toMatchObject({
      entry: { path: "camt.053.xml" },
      data: {
        counterparty: "Testkonto Nummer 2",
        counterparty_account: "DE58740618130100033626",
        booked_on: "2013-12-30",
        reference: "2013123001153870000",
      },
    });
    expect(first!.offset).toBeGreaterThan(0);
  });
});
