// Mailboxes: a mail folder in one file (mbox, RFC 4155) that consists of RFC 5322 messages.

export interface MboxMail {
  id: string;
  at: number;
  from: MboxAddress;
  to: readonly MboxAddress[];
  cc: readonly MboxAddress[];
  subject: string;
  body: string;
  /** Ids of the earlier messages in the thread. */
  answers: readonly string[];
  unread: boolean;
  /** The mailbox that the message was delivered to; absent for sent mail. */
  deliveredTo?: string;
  list?: string;
  attachment?: { name: string; type: string; bytes: Uint8Array };
}

export interface MboxAddress {
  name: string;
  address: string;
}

export const mboxOf = (mails: readonly MboxMail[]): string => mails.map(mailText).join("");

function mailText(mail: MboxMail): string {
  const named = (header: string, people: readonly MboxAddress[]): string[] =>
    people.length === 0 ? [] : [`${header}: ${people.map(addressText).join(", ")}`];
  const head = [
    `From ${mail.from.address} ${asctime(mail.at)}`,
    ...(mail.deliveredTo === undefined ? [] : [`Delivered-To: ${mail.deliveredTo}`]),
    ...named("From", [mail.from]),
    ...named("To", mail.to),
    ...named("Cc", mail.cc),
    `Subject: ${encoded(mail.subject)}`,
    `Date: ${new Date(mail.at).toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: ${idText(mail.id)}`,
    ...(mail.answers.length === 0
      ? []
      : [`In-Reply-To: ${idText(mail.answers.at(-1)!)}`, `References: ${mail.answers.map(idText).join("\n ")}`]),
    ...(mail.list === undefined ? [] : [`List-Id: <${mail.list}>`]),
    `Status: ${mail.unread ? "O" : "RO"}`,
    "MIME-Version: 1.0",
  ];
  // A line that begins with "From " would start a new message, so it is escaped.
  const lines = [...head, ...contentOf(mail)].map((line, index) =>
    index === 0 ? line : line.replace(/^>*From /, ">$&"),
  );
  return `${lines.join("\n")}\n\n`;
}

const BOUNDARY = "=_part";

function contentOf({ body, attachment }: MboxMail): string[] {
  const text = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit", "", ...body.split("\n")];
  if (attachment === undefined) return text;
  const base64 = Buffer.from(attachment.bytes).toString("base64");
  return [
    `Content-Type: multipart/mixed; boundary="${BOUNDARY}"`,
    "",
    `--${BOUNDARY}`,
    ...text,
    `--${BOUNDARY}`,
    `Content-Type: ${attachment.type}; name="${attachment.name}"`,
    `Content-Disposition: attachment; filename="${attachment.name}"`,
    "Content-Transfer-Encoding: base64",
    "",
    ...(base64.match(/.{1,76}/g) ?? []),
    `--${BOUNDARY}--`,
  ];
}

const idText = (id: string): string => `<${id}@mail.example>`;

const addressText = ({ name, address }: MboxAddress): string =>
  `${/^[\w .-]+$/.test(name) ? name : /^[ -~]+$/.test(name) ? JSON.stringify(name) : encoded(name)} <${address}>`;

/** Encodes according to RFC 2047, in words of at most 75 characters. */
function encoded(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  const words: string[] = [];
  let own = "";
  for (const sign of text) {
    if (Buffer.byteLength(own + sign) > 42) {
      words.push(own);
      own = "";
    }
    own += sign;
  }
  return [...words, own].map((word) => `=?utf-8?B?${Buffer.from(word).toString("base64")}?=`).join("\n ");
}

/** Returns a time such as `Thu May 15 06:45:00 2025`. */
function asctime(at: number): string {
  const [week, day, month, year, time] = new Date(at).toUTCString().replace(",", "").split(" ");
  return `${week} ${month} ${day!.replace(/^0/, " ")} ${time} ${year}`;
}
