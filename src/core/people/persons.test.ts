// Identity: which sightings are of the same person, and what the owner's decisions change.
import { describe, expect, it } from "vitest";
import { type CountedSighting, personsOf } from "./persons.ts";
import { namingIn, sightingsIn } from "./sightings.ts";

const seen = (name: string | undefined, more: Partial<CountedSighting> = {}): CountedSighting => ({
  ...(name === undefined ? {} : { name }),
  addresses: [],
  numbers: [],
  handles: [],
  mentions: 1,
  ...more,
});
const NONE = { merged: [], apart: [] };
const groups = (sightings: CountedSighting[], decisions = NONE as { merged: string[][]; apart: string[] }) =>
  personsOf([{ connectorKey: "mail", sightings }], decisions).map(({ keys }) => keys);

describe("K-12 persons", () => {
  it("K-12 match an address in any case, a number in any national format, and a handle only within its source", () => {
    const sources = [
      { connectorKey: "slack", sightings: [seen("Ada", { handles: ["@Ada"] }), seen("Ada", { handles: ["ada"] })] },
      { connectorKey: "x", sightings: [seen("Ada", { handles: ["ada"] })] },
      {
        connectorKey: "phone",
        sightings: [seen("A", { numbers: ["+353 86 1234567"] }), seen("A", { numbers: ["086 123 4567"] })],
      },
    ];
    expect(personsOf(sources, NONE).map(({ keys, mentions }) => [keys, mentions])).toEqual([
      [["handle:slack:ada"], 2],
      [["number:861234567"], 2],
      [["handle:x:ada"], 1],
    ]);
  });

  it("K-12 G-01 have their spellings in an order that does not depend on which record was imported first", () => {
    const sightings = [
      seen("ada", { addresses: ["Ada@x.de"] }),
      seen("Ada", { addresses: ["ada@x.de", "a@b.de"] }),
      seen("ADA", { addresses: ["a@b.de"] }),
    ];
    const personsFrom = (list: CountedSighting[]) => personsOf([{ connectorKey: "mail", sightings: list }], NONE);
    expect(personsFrom(sightings.toReversed())).toEqual(personsFrom(sightings));
    const often = seen("Ada", { addresses: ["ADA@x.de"], mentions: 9 });
    expect(personsFrom([...sightings, often])[0]).toMatchObject({ names: ["Ada"], addresses: ["ADA@x.de", "a@b.de"] });
  });

  it("K-12 include a bare name if only one of them is mostly called by that name", () => {
    const ada = seen("Ada Byrne", { addresses: ["ada@x.de"], mentions: 5 });
    const list = seen("Ada Byrne", { addresses: ["list@x.de"] });
    expect(groups([ada, seen("Ada Byrne")])).toEqual([["address:ada@x.de", "name:ada byrne"]]);
    // The busy address mainly uses another name, so it does not compete for this one.
    const busy = seen("Zoë", { addresses: ["list@x.de"], mentions: 3 });
    expect(groups([ada, list, busy, seen("ada  byrne")])).toEqual([
      ["address:ada@x.de", "name:ada byrne"],
      ["address:list@x.de"],
    ]);
    expect(groups([ada, list, seen("Ada Byrne")])).toEqual([
      ["address:ada@x.de"],
      ["address:list@x.de"],
      ["name:ada byrne"],
    ]);
  });

  it("V-03 include the owner as one person in all sources where someone is mostly called by the owner's name, unless split off", () => {
    const sources = [
      { connectorKey: "mail", sightings: [seen("Ada Byrne", { addresses: ["ada@x.de"], mentions: 9 })] },
      { connectorKey: "slack", sightings: [seen("Ada Byrne", { handles: ["U1"] }), seen("Bob", { handles: ["U2"] })] },
      { connectorKey: "whatsapp", sightings: [seen("Ada Byrne", { numbers: ["+353 86 1234567"] }), seen("Ada Byrne")] },
    ];
    const own = ["name:ada byrne", "address:ada@x.de"];
    const keys = (apart: string[]) => personsOf(sources, { merged: [], apart, own }).map((person) => person.keys);
    const all = ["address:ada@x.de", "number:861234567", "handle:slack:u1", "name:ada byrne"];
    expect(keys([])).toEqual([all, ["handle:slack:u2"]]);
    expect(keys(["handle:slack:u1"])[0]).toEqual(all.filter((key) => key !== "handle:slack:u1"));
    expect(personsOf(sources, NONE)).toHaveLength(5);
  });

  it("V-03 combine the owner with the sender of each record that the owner sent, unless the reader is an app", () => {
    const sources = [
      { connectorKey: "mail", sightings: [seen("Ada Byrne", { addresses: ["ada@x.de"], mentions: 9 })] },
      { connectorKey: "chat", sightings: [seen("You", { isOwner: true, mentions: 3 }), seen("Bob")] },
      { connectorKey: "slack", sightings: [seen(undefined, { handles: ["adab"], isOwner: true }), seen("Ada Byrne")] },
    ];
    const persons = personsOf(sources, { merged: [], apart: [], own: ["address:ada@x.de"] });
    expect(persons.map(({ keys }) => keys)).toEqual([
      ["address:ada@x.de", "handle:slack:adab", "name:ada byrne", "name:you"],
      ["name:bob"],
    ]);
    expect(personsOf(sources, NONE)).toHaveLength(4);
    expect(personsOf(sources, { merged: [], apart: ["name:you"], own: ["address:ada@x.de"] })).toHaveLength(3);
  });

  it("V-03 treat the sender of a record as the owner only if the record's direction says that it was sent", () => {
    const naming = namingIn({
      kind: "message",
      fields: { from: ["sender"], participants: ["people"], direction: ["direction"] },
    })!;
    const own = (direction: string) =>
      sightingsIn({ sender: "You", people: ["Bob"], direction }, naming).map(({ name, isOwner }) => [name, isOwner]);
    expect(own("sent")).toEqual([
      ["You", true],
      ["Bob", undefined],
    ]);
    expect(own("received")[0]).toEqual(["You", undefined]);
  });

  it("K-12 combine merged identifiers, even indirectly, and separate split ones, even if they share a card", () => {
    const [a, b, c] = ["a@x.de", "b@x.de", "c@x.de"].map((address) => seen(undefined, { addresses: [address] }));
    expect(
      groups([a!, b!, c!], { merged: [["address:a@x.de", "address:c@x.de", "address:nowhere"]], apart: [] }),
    ).toEqual([["address:a@x.de", "address:c@x.de"], ["address:b@x.de"]]);
    const card = seen("Ada", { addresses: ["a@x.de", "b@x.de"], card: "c/contacts:1" });
    const persons = personsOf([{ connectorKey: "mail", sightings: [card] }], { merged: [], apart: ["address:a@x.de"] });
    expect(persons.map(({ keys, names, cards, mentions }) => [keys, names, cards, mentions])).toEqual([
      [["address:b@x.de"], ["Ada"], ["c/contacts:1"], 1],
      [["address:a@x.de"], [], [], 0],
    ]);
  });
});
