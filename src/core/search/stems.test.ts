// the forms of a word have the same stem, in the language of their text. The language is detected from the text
// alone.
import { describe, expect, it } from "vitest";
import { foldText } from "./characters.ts";
import { languageOf } from "./forms.ts";
import { LANGUAGES } from "./languages.ts";
import { sameStem } from "./stems.ts";

const codeOf = (name: string): number => LANGUAGES.findIndex((language) => language?.name === name);

describe("stems", () => {
  it.each([
    ["english", "invoice", "invoices"],
    ["english", "fly", "flies"],
    ["english", "appointment", "appointments"],
    ["german", "Rechnung", "Rechnungen"],
    ["german", "Haus", "Häuser"],
    ["french", "facture", "factures"],
    ["french", "invité", "invitées"],
    ["spanish", "información", "informaciones"],
    ["italian", "fattura", "fatture"],
    ["portuguese", "informação", "informações"],
    ["dutch", "rekening", "rekeningen"],
    ["swedish", "räkning", "räkningar"],
    ["danish", "regning", "regninger"],
    ["norwegian", "regning", "regninger"],
    ["finnish", "lasku", "laskut"],
    ["hungarian", "ház", "házak"],
    ["romanian", "copil", "copilul"],
    ["turkish", "kitap", "kitaplar"],
    ["russian", "новый", "новая"],
    ["russian", "счёт", "счёта"],
    ["lithuanian", "namas", "namai"],
  ])("R-01 are the same in %s for %s and %s", (name, one, other) => {
    expect(sameStem(codeOf(name), foldText(one), foldText(other))).toBe(true);
  });

  it("differ for words that only share a beginning, for numbers and for short words", () => {
    expect(sameStem(codeOf("english"), "university", "universe")).toBe(true);
    expect(sameStem(codeOf("english"), "report", "repair")).toBe(false);
    expect(sameStem(codeOf("english"), "48817", "488171")).toBe(false);
    expect(sameStem(codeOf("english"), "a", "as")).toBe(false);
  });
});

describe("language detection", () => {
  it.each([
    ["english", "Flight AT 617 Lisbon to Dublin"],
    ["english", "Invoices"],
    ["german", "Bitte überweisen Sie den Betrag bis zum Ende des Monats."],
    ["german", "Rechnungen"],
    ["french", "Votre facture est disponible dans votre espace client."],
    ["spanish", "Su factura está disponible en la página de la cuenta."],
    ["italian", "La tua fattura è disponibile e non è stata ancora pagata."],
    ["portuguese", "A sua fatura não está disponível, mas pode ser enviada."],
    ["dutch", "Uw rekening is beschikbaar en kan niet meer worden gewijzigd."],
    ["swedish", "Din räkning är klar och kan inte ändras efter det."],
    ["russian", "Ваш счёт готов, и его нельзя изменить."],
    ["greek", "Ο λογαριασμός σας είναι έτοιμος."],
  ])("R-01 %s: %s", (name, text) => {
    expect(LANGUAGES[languageOf(text)]?.name).toBe(name);
  });
});
