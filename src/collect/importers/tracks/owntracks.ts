// The log of an OwnTracks recorder: each line has a time, an asterisk and a JSON message.
import type { JsonValue } from "../../../contract/json.ts";
import { type Entry, linesOf } from "../../entry.ts";
import { isObject } from "../json-fields.ts";
import { numberOf, positionOf } from "../track.ts";
import { type TrackItem, timeOf, wordsOf } from "./item.ts";

export async function* owntracksItems(entry: Entry): AsyncGenerator<TrackItem> {
  for await (const { bytes, offset, cut } of linesOf(entry)) {
    const line = bytes.toString();
    if (line.trim() === "") continue;
    const begin = line.indexOf("{");
    let message: JsonValue | undefined;
    try {
      message = cut || begin === -1 ? undefined : (JSON.parse(line.slice(begin)) as JsonValue);
    } catch {
      // The problem is reported below.
    }
    if (!isObject(message)) {
      yield { problem: "a line without a message", offset };
      continue;
    }
    const { _type: type } = message;
    if (type !== "location" && type !== "transition") {
      yield { left: `a message of the type ${wordsOf(type)?.slice(0, 50) ?? "unknown"}, not a position`, offset };
      continue;
    }
    const position = positionOf(numberOf(message.lat), numberOf(message.lon));
    const at = timeOf(message.tst) ?? timeOf(line.slice(0, begin).split(/\s/, 1)[0]);
    if (position === undefined || at === undefined)
      yield { problem: "a position without coordinates or a time", offset };
    else if (type === "location") {
      const logged = { ...position, at, altitude: numberOf(message.alt), accuracy: numberOf(message.acc) };
      yield { logged, offset };
    } else {
      const [name, category] = [wordsOf(message.desc), wordsOf(message.event)];
      yield { stream: "places", facts: { name, category, time: new Date(at).toISOString(), ...position }, offset };
    }
  }
}
