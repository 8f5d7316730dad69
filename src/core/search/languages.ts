// The languages whose inflection search supports, each with its Snowball stemmer and its stop words.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { stopwords as arabicStops } from "@orama/stopwords/arabic";
import { stopwords as armenianStops } from "@orama/stopwords/armenian";
import { stopwords as danishStops } from "@orama/stopwords/danish";
import { stopwords as dutchStops } from "@orama/stopwords/dutch";
import { stopwords as englishStops } from "@orama/stopwords/english";
import { stopwords as finnishStops } from "@orama/stopwords/finnish";
import { stopwords as frenchStops } from "@orama/stopwords/french";
import { stopwords as germanStops } from "@orama/stopwords/german";
import { stopwords as greekStops } from "@orama/stopwords/greek";
import { stopwords as hungarianStops } from "@orama/stopwords/hungarian";
import { stopwords as hindiStops } from "@orama/stopwords/indian";
import { stopwords as indonesianStops } from "@orama/stopwords/indonesian";
import { stopwords as irishStops } from "@orama/stopwords/irish";
import { stopwords as italianStops } from "@orama/stopwords/italian";
import { stopwords as lithuanianStops } from "@orama/stopwords/lithuanian";
import { stopwords as nepaliStops } from "@orama/stopwords/nepali";
import { stopwords as norwegianStops } from "@orama/stopwords/norwegian";
import { stopwords as portugueseStops } from "@orama/stopwords/portuguese";
import { stopwords as romanianStops } from "@orama/stopwords/romanian";
import { stopwords as russianStops } from "@orama/stopwords/russian";
import { stopwords as serbianStops } from "@orama/stopwords/serbian";
import { stopwords as spanishStops } from "@orama/stopwords/spanish";
import { stopwords as swedishStops } from "@orama/stopwords/swedish";
import { stopwords as tamilStops } from "@orama/stopwords/tamil";
import { stopwords as turkishStops } from "@orama/stopwords/turkish";
import { stem as english } from "porter2";
import { programFile } from "../../program-file.ts";

export interface Language {
  name: string;
  stem: (word: string) => string;
  stops: readonly string[];
  /** True if inflected forms can begin with another letter. */
  prefixes?: true;
  /** The language's script, if no other language in this list uses it. */
  script?: RegExp;
  /** Letters and endings that make a short text likely to be in this language. */
  letters?: string;
  endings?: WordEndings;
}

/** In ASCII, as at the end of folded words. At least `after` bytes must precede an ending. */
interface WordEndings {
  after: number;
  of: readonly string[];
}

const endings = (after: number, of: string): WordEndings => ({ after, of: of.split(" ") });

type Stemmers = typeof import("./stemmers.ts");

let stemmers: Stemmers | undefined;
const load = createRequire(import.meta.url);

/** Loads the stemmers on first use. They are half a megabyte, which every thread and command would otherwise parse. */
function snowball(language: keyof Stemmers): (word: string) => string {
  return (word) => {
    stemmers ??= load(fileURLToPath(programFile(import.meta.url, "./stemmers"))) as Stemmers;
    return stemmers[language](word);
  };
}

/**
 * Segments store a language as its index in this list. Add new languages at the end, and raise the manifest's format
 * version.
 */
export const LANGUAGES: readonly (Language | undefined)[] = [
  // 0 means that the language is unknown.
  undefined,
  {
    name: "english",
    stem: english,
    stops: [...englishStops, "a", "much", "many"],
    endings: endings(2, "ing ness ght ed ly tion tions ies"),
  },
  {
    name: "german",
    stem: snowball("german"),
    stops: [...germanStops, "wann", "wo", "warum", "wieso", "wer", "wieviel", "welche", "welcher", "welches"],
    letters: "ßäöü",
    endings: endings(
      3,
      "ung ungs ungen keit heit lich isch ische ischer isches ischen schaft chen rech zug tag termin strasse",
    ),
  },
  {
    name: "french",
    stem: snowball("french"),
    stops: [...frenchStops, "quand", "comment", "pourquoi", "combien", "quel", "quelle", "quels", "quelles"],
    letters: "éèêàçœûîôëï",
    endings: endings(2, "eau eaux eux euse oir oire oirs oires ique iques"),
  },
  {
    name: "spanish",
    stem: snowball("spanish"),
    stops: spanishStops,
    letters: "ñ¿¡óíú",
    endings: endings(2, "cion ciones dad miento"),
  },
  {
    name: "italian",
    stem: snowball("italian"),
    stops: italianStops,
    letters: "àòìù",
    endings: endings(2, "zione zioni aggio etto ezza"),
  },
  {
    name: "portuguese",
    stem: snowball("portuguese"),
    stops: portugueseStops,
    letters: "ãõç",
    endings: endings(2, "cao coes dade nho nha"),
  },
  { name: "dutch", stem: snowball("dutch"), stops: dutchStops, endings: endings(2, "heid lijk lijke ij ijs aan oek") },
  { name: "swedish", stem: snowball("swedish"), stops: swedishStops, letters: "åäö" },
  { name: "danish", stem: snowball("danish"), stops: danishStops, letters: "åøæ" },
  { name: "norwegian", stem: snowball("norwegian"), stops: norwegianStops, letters: "åøæ" },
  {
    name: "finnish",
    stem: snowball("finnish"),
    stops: finnishStops,
    letters: "äö",
    endings: endings(2, "nen inen ssa lla sta"),
  },
  { name: "hungarian", stem: snowball("hungarian"), stops: hungarianStops, letters: "őűáéí" },
  { name: "romanian", stem: snowball("romanian"), stops: romanianStops, letters: "ășțşţâ" },
  { name: "turkish", stem: snowball("turkish"), stops: turkishStops, letters: "ığşç" },
  { name: "indonesian", stem: snowball("indonesian"), stops: indonesianStops, prefixes: true },
  { name: "irish", stem: snowball("irish"), stops: irishStops, prefixes: true },
  { name: "lithuanian", stem: snowball("lithuanian"), stops: lithuanianStops, letters: "ėųūąęį" },
  { name: "russian", stem: snowball("russian"), stops: russianStops, script: /\p{scx=Cyrl}/u },
  { name: "serbian", stem: snowball("serbian"), stops: serbianStops, letters: "ђјљњћџčćšžđ" },
  { name: "greek", stem: snowball("greek"), stops: greekStops, script: /\p{scx=Grek}/u },
  { name: "armenian", stem: snowball("armenian"), stops: armenianStops, script: /\p{scx=Armn}/u },
  { name: "arabic", stem: snowball("arabic"), stops: arabicStops, prefixes: true, script: /\p{scx=Arab}/u },
  { name: "hindi", stem: snowball("hindi"), stops: hindiStops, script: /\p{scx=Deva}/u },
  { name: "nepali", stem: snowball("nepali"), stops: nepaliStops },
  { name: "tamil", stem: snowball("tamil"), stops: tamilStops, script: /\p{scx=Taml}/u },
];

export const ENGLISH = 1;
/** The last language that is widespread enough to be detected from one stop word (Dutch). */
export const WIDESPREAD = 7;
