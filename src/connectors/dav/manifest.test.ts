// The connector.json files of CalDAV and CardDAV: valid manifests, with the importers' declarations.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { calendarDeclaration } from "../../collect/importers/calendar/declaration.ts";
import { contactsDeclaration } from "../../collect/importers/contacts/declaration.ts";
import { parseManifest } from "../../core/connector-check.ts";

const streamsOf = (key: string): object[] => {
  const text = readFileSync(new URL(`../${key}/connector.json`, import.meta.url), "utf8");
  return parseManifest(JSON.parse(text)).declaration.streams;
};

it("I-09 the CalDAV connector declares the streams of the calendar importer", () => {
  expect(streamsOf("caldav")).toEqual(calendarDeclaration.streams);
});

it("I-09 the CardDAV connector declares the stream of the contacts importer, except for the photo", () => {
  const imported = JSON.parse(JSON.stringify(contactsDeclaration.streams));
  delete imported[0].schema.properties.photo;
  imported[0].display.detail = imported[0].display.detail.replace(", notes and photos", " and notes");
  expect(streamsOf("carddav")).toEqual(imported);
});
