// Guesses the single-byte encoding of a text from the letters that languages use beyond ASCII.

export type SingleByteEncoding = "windows-1252" | "windows-1250" | "windows-1251" | "windows-1257";

/** Letters of languages by encoding. The alphabet that covers most of a text wins; among equals, the first. */
const ALPHABETS: readonly [SingleByteEncoding, string][] = [
  ["windows-1252", "äöüß"],
  ["windows-1252", "éèêëàâçîïôûùœæ"],
  ["windows-1252", "áéíóúñü¿¡ãõâêôàçºª"],
  ["windows-1252", "åäöæøéð"],
  ["windows-1252", "àèéìòù"],
  ["windows-1250", "ąćęłńóśźż"],
  ["windows-1250", "áčďéěíňóřšťúůýžľĺŕôäđć"],
  ["windows-1250", "áéíóöőúüű"],
  ["windows-1250", "ăâîşţșț"],
  ["windows-1257", "ąčęėįšųūžāēģīķļņõäöü"],
];
const CYRILLIC = "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґў№";

/** Characters that occur in any language. */
const NEUTRAL = /[\u00a0«»„“”‘’–—…€£°§·•©®™´¨]/u;

export function guessSingleByte(bytes: Uint8Array): SingleByteEncoding {
  let best: { encoding: SingleByteEncoding; share: number } = { encoding: "windows-1252", share: 0 };
  const decoded = new Map<SingleByteEncoding, string>();
  const textIn = (encoding: SingleByteEncoding): string => {
    const text = decoded.get(encoding) ?? new TextDecoder(encoding).decode(bytes).toLowerCase();
    decoded.set(encoding, text);
    return text;
  };
  for (const [encoding, alphabet] of ALPHABETS) {
    const share = shareOf(textIn(encoding), new Set(alphabet));
    if (share > best.share) best = { encoding, share };
  }
  // A Cyrillic letter inside a Latin word is a misread accented letter.
  const cyrillic = textIn("windows-1251").replace(/[a-z][^\x00-\x7f]|[^\x00-\x7f][a-z]/g, "\u0080");
  const share = shareOf(cyrillic, new Set(CYRILLIC));
  return share > best.share ? "windows-1251" : best.encoding;
}

/** The share of non-ASCII characters that belong to an alphabet. */
function shareOf(text: string, alphabet: ReadonlySet<string>): number {
  let all = 0;
  let own = 0;
  for (const character of text) {
    if (character < "\u0080" || NEUTRAL.test(character)) continue;
    all++;
    if (alphabet.has(character)) own++;
  }
  return all === 0 ? 0 : own / all;
}
