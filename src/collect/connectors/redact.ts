// Removes secrets from the output of a connector before it is stored or shown.

/** Shorter ones would take half of every text with them. */
const SHORTEST = 3;
const MARK = "[redacted]";

export interface Redactor {
  (text: string): string;
  /** One more that must not be seen: what the owner just typed. */
  add(secret: string): void;
  /** Whether any of them is in it. */
  finds(text: string): boolean;
  /** Characters of the longest form. */
  longest(): number;
}

/** In plain, and as JSON, addresses and base64 write them. */
export function redactor(secrets: Iterable<string>): Redactor {
  const forms = new Set<string>();
  let ordered: string[] = [];
  const add = (secret: string): void => {
    if (secret.length < SHORTEST) return;
    const bytes = Buffer.from(secret);
    for (const form of [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.toWellFormed()),
      bytes.toString("base64"),
      bytes.toString("base64url"),
      // Of several lines each may be written alone.
      ...(secret.includes("\n") ? secret.split(/\r?\n/) : []),
    ])
      if (form.length >= SHORTEST) forms.add(form);
    // The longer first: one may be a part of another.
    ordered = [...forms].sort((one, other) => other.length - one.length);
  };
  for (const secret of secrets) add(secret);
  const redact = (text: string): string => ordered.reduce((clean, form) => clean.replaceAll(form, MARK), text);
  return Object.assign(redact, {
    add,
    finds: (text: string) => ordered.some((form) => text.includes(form)),
    longest: () => ordered[0]?.length ?? 0,
  });
}
