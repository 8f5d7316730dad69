// Headings that banks use for the columns of a CSV statement, best first, in the form of `plainHeading`.

/**
 * Lower case, without accents or a trailing currency; everything that is neither a letter nor a digit becomes one
 * space.
 */
export function plainHeading(heading: string): string {
  return heading
    .replace(/[([][^)\]]{0,20}[)\]]/g, "")
    .replace(/(?<=\S)\s+(?:in\s+)?(?:[A-Z]{3}|[€$£])$/, "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/ł/g, "l")
    .replace(/ß/g, "ss")
    .replace(/ue(?=r|n|b)/g, "u")
    .replace(/ae(?=h|u|n)/g, "a")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const words = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== "");

/** Each column has one role, the first that lists its heading. Within a role, the first listed word wins. */
export const COLUMN_WORDS = {
  date: words(`booking date, posted date, posting date, post date, date posted, date booked, date processed, completed date, run date,
    buchungstag, buchungsdatum, buchung, boekdatum, data contabile, data ksiegowania, datum zauctovani, date de comptabilisation,
    transaction date, trans date, operation date, date, datum, datum provedeni, datum verrichting, transactiedatum, date operation,
    fecha, fecha operacion, fecha contable, data, data operazione, data mov, data lancamento, data operacji, tranzakcio datuma, datetime, date time,
    dato, bokforingsdag, bokforingsdatum, bogforingsdato, created, дата, дата операціі, дата і час, дата i час операціі, дата операции,
    date de valeur`),
  value:
    words(`value date, valutadatum, valuta, wertstellung, wertstellungsdatum, wertstellungstag, date valeur, date de valeur, fecha valor,
    data valuta, rentedatum, erteknap, valutadag, settlement date`),
  amount:
    words(`amount, transaction amount, betrag, umsatz, montant, importe, importo, bedrag, valor, tranzakcio osszege, zauctovana castka,
    objem, castka, kwota, suma, belopp, belob, beløb, mutatie, value, sum, net, gross, сума в валюті картки, сума, сумма`),
  debit:
    words(`debit, debits, debit amount, withdrawal, withdrawals, withdrawal amount, withdrawals amount, paid out, money out, outflow, soll, ausgabe,
    ausgaben, belastung, cargo, dare, addebito, af, uitgaven, debet, дебет, cума списання, сума списання`),
  credit:
    words(`credit, credits, credit amount, deposit, deposits, deposit amount, deposits amount, paid in, money in, inflow, haben, einnahme,
    einnahmen, gutschrift, abono, avere, accredito, bij, inkomsten, кредит, cума зарахування, сума зарахування`),
  counterparty:
    words(`payee, merchant name, merchant, counterparty name, counter party name, counteraccount name, name, counterparty, counter party, beneficiary,
    partner neve, partner name, partner, name zahlungsbeteiligter, auftraggeber begunstigter, begunstigter zahlungspflichtiger, begunstigter,
    auftraggeber empfanger, empfanger auftraggeber, naam tegenpartij, naam omschrijving, tegenrekeninghouder, naam, handelaar, nazev protiuctu,
    nadawca odbiorca, gavejas, beneficiario, tiers, korrespondent, кореспондент`),
  payee: words(`payee name, zahlungsempfanger in, zahlungsempfanger, empfangername, empfanger, to, target`),
  payer: words(`payer name, zahlungspflichtige r, zahlungspflichtiger, auftraggebername, auftraggeber, from, source`),
  purpose:
    words(`verwendungszweck, payment purpose, payment reference, purpose, memo, memodet, mededelingen, vrije mededeling, gestructureerde mededeling,
    message for payee, message for me, message, zprava pro prijemce, zprava, poznamka, kozlemeny, reszletek, tytul, opis operacji, paaiskinimai,
    description, transaction description, original description, additional description, booking text, details, detail, narrative, particulars,
    reason, subject, item title, note, notes, notes and tags, comments, reference, referentie, transaction, libelle, concepto, descrizione, causale,
    omschrijving, descricao, historico, text, tekst, toelichting, security description, action, desc, item, umsatztext, buchungstext, деталі, деталі операціі, призначення платежу`),
  kind: words(`type, transaction type, umsatzart, umsatztyp, buchungstext, mutatiesoort, type betaling, betaalwijze, typ transakce, typ, tranzakcio tipusa, tipo,
    subcategory, class, code, тип, код операціі`),
  balance:
    words(`balance, running balance, runningbalance, current balance, account balance, saldo, saldo na trn, kontostand, saldo nach buchung, saldo po operacji,
    solde, egyenleg, залишок після операціі`),
  currency:
    words(`currency, curr, wahrung, devise, monn, divisa, valutacode, valuta code, munt, moeda, mena, mena uctu, tranzakcio devizaneme,
    devizanem, valiuta, mutation currency, валюта`),
  side: words(
    `af bij, creditdebet, credit debit, debit credit, cr dr, dr cr, d k, soll haben, s h, sens, bevetel kiadas`,
  ),
  category: words(`category, spending category, kategorie, kategorie transakce, categorie, categoria`),
  counterpartyAccount:
    words(`counterparty account, counterparty iban, payee account number, iban zahlungsbeteiligter, kontonummer iban, tegenrekening, tegenrekeningnummer,
    tegenrekening iban bban, rekeningnummer tegenpartij, protiucet, cislo protiuctu, partner szamlaszama, numer konta, рахунок кореспондента, counterparty`),
  account:
    words(`account, account number, account no, account name, iban auftragskonto, iban auftraggeberkonto, auftragskonto, iban bban, iban,
    kontonummer, konto, compte, produit, cuenta, rekening, rekeningnummer, cislo uctu, szamlaszam, saskaitos nr, рахунок`),
  reference:
    words(`transaction id, transferwise id, id operace, reference no, reference number, transaction reference, transaction reference number, fitid,
    zkb reference, n de transaction, id transakce, irasso nr, record id`),
  status: words(`status, state, cleared, статус`),
  checkNumber: words(`check number, checknumber, cheque number, check no`),
} as const;

export type CsvColumn = keyof typeof COLUMN_WORDS;

/** ISO 4217 codes. They are listed because any three letters can occur in headings and above the header. */
export const CURRENCY_CODE =
  /\b(?:AUD|BGN|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HKD|HUF|IDR|ILS|INR|ISK|JPY|KRW|LTL|MXN|MYR|NOK|NZD|PHP|PLN|RON|RUB|SEK|SGD|THB|TRY|TWD|UAH|USD|ZAR)\b/;
export const CURRENCY_SIGNS: Readonly<Record<string, string>> = { "€": "EUR", "£": "GBP", "₹": "INR", "₴": "UAH" };
