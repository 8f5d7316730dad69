// Redacts secrets in commands before anything is stored: values revealed by a flag, a variable, a URL or a well-known
// prefix.

const HIDDEN = "[redacted]";

/**
 * One word of a command as written, including quotes. No two alternatives can begin with the same character, so
 * matching takes linear time.
 */
const WORD = String.raw`(?:"(?:[^"\\]|\\.){0,4000}"|'[^']{0,4000}'|[^\s"'|;&<>\\]|\\.)+`;
const SECRET_NAME =
  "(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api[-_]?key|access[-_]?key|auth[-_]?key|private[-_]?key|signing[-_]?key|credentials?|bearer)";

interface Rule {
  pattern: RegExp;
  /** How many groups before the secret are kept. The secret is the last group. */
  kept: number;
}

const rule = (source: string, kept = 1, flags = "gi"): Rule => ({ pattern: new RegExp(source, flags), kept });

/** The secret follows something that names it. */
const NAMED: readonly Rule[] = [
  // openssl … pass:secret
  rule(String.raw`(\bpass:)([^\s"']{1,500})`),
  // https://user:secret@host, and https://secret@host of git remotes
  rule(String.raw`(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"']{0,200}:)([^\s/@"']{1,500})(?=@)`),
  rule(String.raw`(\bhttps?:\/\/)([A-Za-z0-9_-]{20,500})(?=@)`),
  // ?token=…, &api_key=…
  rule(String.raw`([?&](?:[a-z0-9_-]{0,40}[_-])?(?:${SECRET_NAME}|sig|signature|key)=)([^\s&"'#]{1,2000})`),
  // Authorization: Bearer …, X-Api-Key: …, Cookie: …
  rule(String.raw`(\b(?:proxy-)?authorization:\s*(?:(?:basic|bearer|token|digest|apikey)\s+)?)([^\s"']{1,4000})`),
  rule(String.raw`(\b(?:x-[a-z-]{0,40}(?:key|token|secret|auth)|cookie|set-cookie):\s*)([^"']{1,4000})`),
  // curl -u user:secret
  rule(String.raw`((?:^|\s)(?:-u|--user|--proxy-user)[\s=]+["']?[^\s:"']{1,200}:)([^\s"']{1,500})`),
  // --password secret, --api-key=secret, -token secret
  rule(String.raw`((?:^|\s)--?(?:[a-z0-9]{1,40}[-_]){0,4}${SECRET_NAME}(?:\s+|=))(?!-)(${WORD})`),
  // NAME_TOKEN=secret, export AWS_SECRET_ACCESS_KEY=secret, "password": "secret"
  rule(String.raw`(\b(?:[a-z0-9]{1,40}_){0,6}${SECRET_NAME}(?:_[a-z0-9]{1,40}){0,3}=)(${WORD})`),
  rule(String.raw`(["'](?:[a-z0-9]{1,40}[_-]){0,4}${SECRET_NAME}\\?["']\s{0,4}:\s{0,4}\\?["'])([^"'\\]{1,2000})`),
  rule(String.raw`(\b[a-z0-9_]{1,60}(?:password|passwd|passphrase|secret|token|apikey)=)(${WORD})`),
  // aws configure set aws_secret_access_key secret, set -x GITHUB_TOKEN secret
  rule(
    String.raw`(\b(?:set|setx|setenv|put)\s+(?:-\S{1,40}\s+){0,5}(?:[a-z0-9]{1,40}[_.]){0,6}(?:secret|token|password|key)(?:_[a-z0-9]{1,40}){0,3}\s+)(${WORD})`,
  ),
  // mysql -psecret, sshpass -p secret, docker login -p secret, redis-cli -a secret
  rule(String.raw`(\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^|;&]{0,500}?\s-p)(?=\S)(${WORD})`),
  rule(
    String.raw`(\b(?:sshpass|docker\s+login|podman\s+login|mongo|mongosh|smbclient)\b[^|;&]{0,500}?\s-p\s*)(${WORD})`,
  ),
  rule(String.raw`(\bredis-cli\b[^|;&]{0,500}?\s-a\s+)(${WORD})`),
  rule(String.raw`(\b7z[ar]?\b[^|;&]{0,500}?\s-p)(?=\S)(${WORD})`),
  rule(String.raw`(\bunzip\b[^|;&]{0,500}?\s-P\s*)(${WORD})`, 1, "g"),
  rule(String.raw`(\bhtpasswd\s+-[a-z]*b[a-z]*\s+\S{1,500}\s+\S{1,200}\s+)(${WORD})`),
  // echo secret | sudo -S
  rule(
    String.raw`(\b(?:echo|printf)\s+(?:-\w+\s+)?)(${WORD})(?=\s*\|\s*(?:sudo\s+-S|docker\s+login|gh\s+auth|passwd|chpasswd|cryptsetup|gpg|openssl)\b)`,
  ),
];

/** The secret is recognised by its own format. */
const SECRET_FORMATS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\bya29\.[A-Za-z0-9_-]{20,}/g,
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bxapp-[A-Za-z0-9-]{10,}/g,
  /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}/g,
  /\bsk-[A-Za-z0-9_-]{20,}/g,
  /\b(?:npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{20,}|dop_v1_[a-f0-9]{40,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32})/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{5,})?/g,
  /\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/g,
  /\bAGE-SECRET-KEY-1[A-Z0-9]{50,}/g,
];

/** A variable or a command in place of the secret reveals nothing. */
const isReference = (secret: string): boolean => /^["']?\$/.test(secret) || /^["']?`/.test(secret);

export function redact(command: string): { command: string; redacted: boolean } {
  let safe = command;
  for (const { pattern, kept } of NAMED) {
    safe = safe.replace(pattern, (...groups: unknown[]) => {
      const [whole, ...parts] = groups as string[];
      const secret = parts[kept]!;
      return isReference(secret) || secret.includes(HIDDEN) ? whole! : `${parts.slice(0, kept).join("")}${HIDDEN}`;
    });
  }
  for (const pattern of SECRET_FORMATS) safe = safe.replace(pattern, HIDDEN);
  return { command: safe, redacted: safe !== command };
}
