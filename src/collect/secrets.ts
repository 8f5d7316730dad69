// Files with secrets: password manager exports, private keys, recovery phrases. They are not imported without explicit
// consent (I-08).
import { decodeHead } from "./importers/decode.ts";

/** The answer with which the owner allows secrets to be imported. */
export const SECRETS_ANSWER = { id: "secrets", value: "import" };

export const SECRETS_ADVICE = `secrets are not imported; to import them anyway, answer {"${SECRETS_ANSWER.id}": "${SECRETS_ANSWER.value}"}`;

const KEY_BLOCK =
  /-----BEGIN (?:[A-Z0-9 ]{0,40} )?PRIVATE KEY(?: BLOCK)?-----|^PuTTY-User-Key-File-|^AGE-SECRET-KEY-1/m;
const PLAIN_TEXT = /(?:^|\/)(?:[^./]+|[^/]+\.(?:txt|md|pem|key|asc|ppk|env))$/i;
const TABLE = /\.(?:csv|tsv|txt)$/i;
const PASSWORD_HEADING =
  /^(?:(?:login|master)[ _-]?)?(?:password|passwd|pwd|passwort|kennwort|mot de passe|contrase.a|wachtwoord)$/i;
const KEY_HEADING = /^(?:secret access key|private key|seed phrase|recovery phrase|mnemonic)$/i;
/** The tables of two password managers have no headings, so they are recognised by their file names. */
const MANAGER_NAME =
  /(?:^|[/ _-])(?:1password|bitwarden|lastpass|keepass\w*|dashlane|keeper|nordpass|roboform|enpass|safeincloud|keychain|passwords?|passw.rter|logins|credentials)[^/]*\.(?:csv|tsv|txt|json|xml)$/i;
/** A recovery phrase has 12 to 24 words, numbered or not. The file contains nothing else. */
const PHRASE_LENGTHS = [12, 15, 18, 21, 24];
const PHRASE_WORD = /^[a-z]{3,8}$/;

/** Describes the secrets in a file, or returns undefined if its beginning shows none. */
export function secretsIn(path: string, head: Uint8Array): string | undefined {
  if (Buffer.from(head.subarray(0, 4)).toString("hex") === "03d9a29a") return "a KeePass database";
  if (/\.1pux$/i.test(path)) return "passwords from 1Password";
  const raw = Buffer.from(head).toString("latin1");
  if (raw.startsWith("SQLite format 3\0"))
    return raw.includes("password_value") || raw.includes("nssPrivate") ? "passwords that a browser stored" : undefined;
  const text = decodeHead(head).replace(/^\ufeff/, "");
  if (PLAIN_TEXT.test(path) && KEY_BLOCK.test(text)) return "a private key";
  return passwordsIn(path, text) ?? (PLAIN_TEXT.test(path) && isPhrase(text) ? "a recovery phrase" : undefined);
}

function passwordsIn(path: string, text: string): string | undefined {
  if (/^\s*<\?xml[^>]*>\s*<KeePassFile|^\s*<KeePassFile/.test(text)) return "passwords from KeePass";
  if (/^keychain: "/m.test(text) && /^class: "/m.test(text)) return "passwords from Apple's keychain";
  if (/^\*\*\*[0-9a-f-]{36}\*\*\*$/m.test(text)) return "passwords from 1Password";
  if (/^\s*\{/.test(text)) return passwordJson(text);
  if (!TABLE.test(path)) return undefined;
  const [header = ""] = text.split(/\r\n|\n|\r/, 1);
  const headings = header.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"|"$/g, ""));
  if (headings.some((heading) => PASSWORD_HEADING.test(heading))) return "passwords";
  if (headings.some((heading) => KEY_HEADING.test(heading))) return "secret keys";
  return MANAGER_NAME.test(path) ? "passwords, judging by the file's name" : undefined;
}

function passwordJson(text: string): string | undefined {
  const has = (name: string): boolean => new RegExp(`"${name}"\\s*:`).test(text);
  if (has("encrypted") && (has("folders") || has("encKeyValidation_DO_NOT_EDIT"))) return "passwords from Bitwarden";
  if (has("folders") && has("items") && has("folderId")) return "passwords from Bitwarden";
  if (has("AUTHENTIFIANT")) return "passwords from Dashlane";
  if (has("logins") && (has("encryptedPassword") || has("nextId"))) return "passwords from Firefox";
  const isKeystore = has("ciphertext") && has("kdfparams");
  return isKeystore ? "a wallet's private key" : undefined;
}

function isPhrase(text: string): boolean {
  if (text.length > 400) return false;
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => !/^\d{1,2}[.):]?$/.test(word))
    .map((word) => word.replace(/^\d{1,2}[.):]/, ""));
  return PHRASE_LENGTHS.includes(words.length) && words.every((word) => PHRASE_WORD.test(word));
}
