// Address books from phones and programs (mangstadt/ez-vcard).
import { describe, expect, it } from "vitest";
import { collect, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import { contactsImporter } from "../../src/collect/importers/contacts/importer.ts";
import { repeatsAndResumes } from "../../src/collect/importers/hostile.fixture.ts";
import { noSamples, sample, samplesIn } from "./samples.ts";

describe.skipIf(noSamples)("P-05 address books", () => {
  const files = noSamples ? [] : samplesIn("contacts-vcf").filter(({ path }) => path.endsWith(".vcf"));

  // Counted with grep -aic '^BEGIN:VCARD'.
  it.each([
    ["John_Doe_ANDROID.vcf", 6],
    ["John_Doe_BLACK_BERRY.vcf", 1],
    ["gmail-list.vcf", 3],
    ["outlook-2003.vcf", 1],
    ["rfc2426-example.vcf", 2],
  ])("%s has %i cards", async (name, cards) => {
    expect(recordsOf(await collect(contactsImporter, [sample(`contacts-vcf/${name}`)]))).toHaveLength(cards);
  });

  it("all 25 cards (grep -aic '^BEGIN:VCARD') are imported and match their declaration, and a second import changes nothing", async () => {
    const events = await collect(contactsImporter, files);
    expect(recordsOf(events)).toHaveLength(25);
    // grep -aic '^PHOTO' finds a photo with bytes in eight files. fullcontact.vcf has only addresses of pictures.
    expect(recordsOf(events).filter(({ data }) => data.photo !== undefined)).toHaveLength(8);
    expect(events.filter(({ kind }) => kind === "error")).toEqual([]);
    expect(await refusals(contactsImporter, files)).toEqual([]);
    await repeatsAndResumes(contactsImporter, files);
  });

  // Read manually.
  it.each([
    [
      "John_Doe_EVOLUTION.vcf",
      {
        id: "477343c8e6bf375a9bac1f96a5000837",
        name: "Mr. John Richter, James Doe Sr.",
        department: "Accounting, Dungeon",
      },
    ],
    ["John_Doe_IPHONE.vcf", { nickname: "Johny", birthday: "2012-06-06", phone: "905-555-1234" }],
    [
      "outlook-2003.vcf",
      { organisation: "Company, The", note: "This is the note field!!\nSecond line\n\nThird line is empty" },
    ],
    ["rfc6350-example.vcf", { birthday_text: "--02-03", anniversary: "2009-08-08", suffix: "ing. jr,M.Sc." }],
    [
      "gmail-single.vcf",
      {
        relations: [
          { name: "MySpouse", relation: "spouse" },
          { name: "MyCustom", relation: "customrelationship" },
        ],
      },
    ],
  ])("%s", async (name, expected) => {
    expect(recordsOf(await collect(contactsImporter, [sample(`contacts-vcf/${name}`)]))[0]!.data).toMatchObject(
      expected,
    );
  });
});
