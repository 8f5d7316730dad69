// Facts that Google Photos stores in addition to those in the file. A Takeout contains them in a JSON file next to each
// picture.
import type { JsonObject } from "../../../contract/json.ts";
import { type Entry, wholeEntry } from "../../entry.ts";
import { folderOf, joinPath, nameOf } from "../attached-file.ts";
import { flagIn, idIn, instantOf, isObject, objectIn, objectsIn, present, textIn } from "../json-fields.ts";

const SIDECAR_BYTES_MAX = 1024 * 1024;
const SUFFIX = "supplemental-metadata";
/** Takeout cuts longer names, so the beginning has to be enough to match. */
const CUT_NAME = 40;

export const isSidecarName = (path: string): boolean => /\.json$/i.test(path);

export const isSidecar = (head: Uint8Array): boolean => {
  const start = Buffer.from(head).toString();
  return /^\s*\{/.test(start) && /"photoTakenTime"\s*:/.test(start) && /"title"\s*:/.test(start);
};

/** `IMG_1.jpg.json`, `IMG_1.jpg.supplemental-metada.json` and `IMG_1.jpg(1).json` → the picture's name. */
export function pictureName(path: string): string {
  const name = nameOf(path).slice(0, -".json".length);
  const [, numbered = name, number = ""] = /^(.*)(\(\d{1,4}\))$/.exec(name) ?? [];
  const dot = numbered.lastIndexOf(".");
  const ending = numbered.slice(dot + 1);
  const plain = dot > 0 && ending !== "" && SUFFIX.startsWith(ending) ? numbered.slice(0, dot) : numbered;
  const extension = plain.lastIndexOf(".");
  return number === "" || extension < 0 ? plain + number : plain.slice(0, extension) + number + plain.slice(extension);
}

/** Finds the sidecar file of each picture among these entries. */
export function sidecarsOf(entries: readonly Entry[]): (path: string) => Entry | undefined {
  const named = new Map<string, Entry>();
  const cut = new Map<string, Entry>();
  for (const entry of entries.filter(({ path }) => isSidecarName(path))) {
    const name = pictureName(entry.path);
    named.set(joinPath(folderOf(entry.path), name), entry);
    if (name.length >= CUT_NAME) cut.set(joinPath(folderOf(entry.path), name.slice(0, CUT_NAME)), entry);
  }
  return (path) => {
    const folder = folderOf(path);
    const name = nameOf(path);
    const original = name.replace(/-(?:edited|bearbeitet|editado|modifié|modificato|bewerkt)(?=[.(])/i, "");
    return (
      named.get(path) ??
      named.get(joinPath(folder, original)) ??
      (name.length >= CUT_NAME ? cut.get(joinPath(folder, name.slice(0, CUT_NAME))) : undefined)
    );
  };
}

export interface SidecarFacts {
  data: JsonObject;
  takenAt?: string;
}

/** Throws if the file cannot be read. */
export async function sidecarFacts(entry: Entry): Promise<SidecarFacts> {
  const value: unknown = JSON.parse((await wholeEntry(entry, SIDECAR_BYTES_MAX)).toString());
  if (!isObject(value as JsonObject)) throw new Error("it is not an object");
  const object = value as JsonObject;
  const takenAt = instantOf(idIn(objectIn(object, "photoTakenTime"), "timestamp"));
  const people = objectsIn(object, "people").flatMap((one) => textIn(one, "name") ?? []);
  const data = present({
    caption: textIn(object, "description"),
    people: people.length === 0 ? undefined : people,
    is_favorite: flagIn(object, "favorited") ? true : undefined,
    ...placeIn(objectIn(object, "geoData")),
  });
  return { data, ...(takenAt === undefined ? {} : { takenAt }) };
}

/** Zeros mean that the place is unknown. */
function placeIn({ latitude, longitude, altitude }: JsonObject): Record<string, number | undefined> {
  if (typeof latitude !== "number" || typeof longitude !== "number" || (latitude === 0 && longitude === 0)) return {};
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return {};
  return { latitude, longitude, altitude: typeof altitude === "number" && altitude !== 0 ? altitude : undefined };
}
