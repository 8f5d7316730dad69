// The Snowball stemmers for all languages except English. They are in their own file, because few threads and commands
// need them.
export { stemmer as arabic } from "@orama/stemmers/arabic";
export { stemmer as armenian } from "@orama/stemmers/armenian";
export { stemmer as danish } from "@orama/stemmers/danish";
export { stemmer as dutch } from "@orama/stemmers/dutch";
export { stemmer as finnish } from "@orama/stemmers/finnish";
export { stemmer as french } from "@orama/stemmers/french";
export { stemmer as german } from "@orama/stemmers/german";
export { stemmer as greek } from "@orama/stemmers/greek";
export { stemmer as hungarian } from "@orama/stemmers/hungarian";
export { stemmer as hindi } from "@orama/stemmers/indian";
export { stemmer as indonesian } from "@orama/stemmers/indonesian";
export { stemmer as irish } from "@orama/stemmers/irish";
export { stemmer as italian } from "@orama/stemmers/italian";
export { stemmer as lithuanian } from "@orama/stemmers/lithuanian";
export { stemmer as nepali } from "@orama/stemmers/nepali";
export { stemmer as norwegian } from "@orama/stemmers/norwegian";
export { stemmer as portuguese } from "@orama/stemmers/portuguese";
export { stemmer as romanian } from "@orama/stemmers/romanian";
export { stemmer as russian } from "@orama/stemmers/russian";
export { stemmer as serbian } from "@orama/stemmers/serbian";
export { stemmer as spanish } from "@orama/stemmers/spanish";
export { stemmer as swedish } from "@orama/stemmers/swedish";
export { stemmer as tamil } from "@orama/stemmers/tamil";
export { stemmer as turkish } from "@orama/stemmers/turkish";
