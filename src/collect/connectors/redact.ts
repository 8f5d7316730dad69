// Removes secrets from a connector's output before it is stored or shown.

/** Redacting shorter secrets would black out half of the output. */
const SHORTEST = 3;
const MARK = "[redacted]";

export interface Redactor {
  (text: string): string;
  /** Adds another secret, such as one that the owner has just typed. */
  add(secret: string): void;
  /** Returns true if the text contains any of the secrets. */
  finds(text: string): boolean;
  /** The length of the longest form of any secret. */
  longest(): number;
}

/** Redacts secrets in plain form and in their JSON, URL and base64 encodings. */
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
      // Each line of a multi-line secret may appear alone.
      ...(secret.includes("\n") ? secret.split(/\r?\n/) : []),
    ])
      if (form.length >= SHORTEST) forms.add(form);
    // Longer forms first, because one can be part of another.
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
