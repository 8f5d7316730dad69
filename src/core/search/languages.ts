// The languages whose inflection search knows: each with its Snowball stemmer and its stop words.
import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as armenian } from "@orama/stemmers/armenian";
import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as indonesian } from "@orama/stemmers/indonesian";
import { stemmer as irish } from "@orama/stemmers/irish";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as lithuanian } from "@orama/stemmers/lithuanian";
import { stemmer as nepali } from "@orama/stemmers/nepali";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as serbian } from "@orama/stemmers/serbian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as tamil } from "@orama/stemmers/tamil";
import { stemmer as turkish } from "@orama/stemmers/turkish";
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

export interface Language {
  name: string;
  stem: (word: string) => string;
  stops: readonly string[];
  /** Forms may begin with another letter. */
  prefixes?: true;
  /** Its script, when other languages of this list do not share it. */
  script?: RegExp;
  /** Letters and endings that make a short text likely to be of this language. */
  letters?: string;
  endings?: RegExp;
}

/** Segments hold a language as its place in this list. Add at the end, and raise the format of the manifest. */
export const LANGUAGES: readonly (Language | undefined)[] = [
  // 0: no language is known.
  undefined,
  {
    name: "english",
    stem: english,
    stops: [...englishStops, "a"],
    endings: /^.{2,}(?:ing|ness|ght|ed|ly|tion|tions|ies)$/,
  },
  {
    name: "german",
    stem: german,
    stops: [...germanStops, "wann", "wo", "warum", "wieso", "wer", "wieviel", "welche", "welcher", "welches"],
    letters: "ßäöü",
    endings: /^.{3,}(?:ungs?|ungen|keit|heit|lich|isch|ische[rsn]?|schaft|chen|rech|zug|tag|termin|straße|strasse)$/,
  },
  {
    name: "french",
    stem: french,
    stops: [...frenchStops, "quand", "comment", "pourquoi", "combien", "quel", "quelle", "quels", "quelles"],
    letters: "éèêàçœûîôëï",
    endings: /^.{2,}(?:eau|eaux|eux|euse|oire?s?|ique|iques)$/,
  },
  {
    name: "spanish",
    stem: spanish,
    stops: spanishStops,
    letters: "ñ¿¡óíú",
    endings: /^.{2,}(?:cion|ciones|dad|miento)$/,
  },
  {
    name: "italian",
    stem: italian,
    stops: italianStops,
    letters: "àòìù",
    endings: /^.{2,}(?:zione|zioni|aggio|etto|ezza)$/,
  },
  {
    name: "portuguese",
    stem: portuguese,
    stops: portugueseStops,
    letters: "ãõç",
    endings: /^.{2,}(?:cao|coes|dade|nho|nha)$/,
  },
  { name: "dutch", stem: dutch, stops: dutchStops, endings: /^.{2,}(?:heid|lijk|lijke|ij|ijs|aan|oek)$/ },
  { name: "swedish", stem: swedish, stops: swedishStops, letters: "åäö" },
  { name: "danish", stem: danish, stops: danishStops, letters: "åøæ" },
  { name: "norwegian", stem: norwegian, stops: norwegianStops, letters: "åøæ" },
  { name: "finnish", stem: finnish, stops: finnishStops, letters: "äö", endings: /^.{2,}(?:nen|inen|ssa|lla|sta)$/ },
  { name: "hungarian", stem: hungarian, stops: hungarianStops, letters: "őűáéí" },
  { name: "romanian", stem: romanian, stops: romanianStops, letters: "ășțşţâ" },
  { name: "turkish", stem: turkish, stops: turkishStops, letters: "ığşç" },
  { name: "indonesian", stem: indonesian, stops: indonesianStops, prefixes: true },
  { name: "irish", stem: irish, stops: irishStops, prefixes: true },
  { name: "lithuanian", stem: lithuanian, stops: lithuanianStops, letters: "ėųūąęį" },
  { name: "russian", stem: russian, stops: russianStops, script: /\p{scx=Cyrl}/u },
  { name: "serbian", stem: serbian, stops: serbianStops, letters: "ђјљњћџčćšžđ" },
  { name: "greek", stem: greek, stops: greekStops, script: /\p{scx=Grek}/u },
  { name: "armenian", stem: armenian, stops: armenianStops, script: /\p{scx=Armn}/u },
  { name: "arabic", stem: arabic, stops: arabicStops, prefixes: true, script: /\p{scx=Arab}/u },
  { name: "hindi", stem: hindi, stops: hindiStops, script: /\p{scx=Deva}/u },
  { name: "nepali", stem: nepali, stops: nepaliStops },
  { name: "tamil", stem: tamil, stops: tamilStops, script: /\p{scx=Taml}/u },
];

export const ENGLISH = 1;
/** The last of those that so many people write that one stop word tells them: up to Dutch. */
export const WIDESPREAD = 7;
