// Hostile files from document programs: mail, calendars, address books, notes, statements, pictures and tables.
import { jpeg } from "../../../src/collect/importers/photos/picture.fixture.ts";
import { HOSTILE, hostile, hostileUrl, NAME } from "./corpus.ts";
import type { HostileExport } from "./exports.ts";

const each = (line: (text: string, index: number) => string): string => HOSTILE.map(line).join("");
const html = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
/** Escapes text for vCard and iCalendar. */
const value = (text: string): string => text.replace(/[\\;,]/g, "\\$&");
/** Quotes text for a vCard or iCalendar parameter, which cannot contain a quote. */
const parameter = (text: string): string => `"${text.replaceAll('"', "'")}"`;

const word = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;
const ID = "<x.'onload=window.__hit=1'@foreign.example>";

/** Every fourth message is plain text. */
const isPlain = (index: number): boolean => index % 4 === 3;

function message(text: string, index: number): string {
  const person = (offset: number): string =>
    `${word(hostile(index + offset))} <"'onerror=window.__hit=1'"@foreign.example>`;
  return [
    `From: ${word(text)} <"'onerror=window.__hit=1'"@foreign.example>`,
    `To: ${person(1)}`,
    `Cc: ${person(2)}`,
    `Bcc: ${person(3)}`,
    `Subject: ${word(text)}`,
    `Message-ID: ${ID.replace("x.", `${index}.`)}`,
    `In-Reply-To: ${ID}`,
    `List-Id: <'onload=window.__hit=1'>`,
    `X-Gmail-Labels: ${word(`"${hostile(index + 4).replace(/[\\"]/g, "\\$&")}"`)}`,
    "Date: Fri, 31 May 2024 09:00:00 +0000",
    "MIME-Version: 1.0",
    "Content-Type: multipart/mixed; boundary=part",
    "",
    "--part",
    `Content-Type: text/${isPlain(index) ? "plain" : "html"}; charset=utf-8`,
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(isPlain(index) ? text : `<p>Hello</p>${text}<p>Bye</p>`).toString("base64"),
    "--part",
    "Content-Type: text/html",
    `Content-Disposition: attachment; filename="${word(`${hostile(index + 5)}.html`)}"`,
    "",
    text,
    "--part--",
    "",
  ].join("\r\n");
}

export const mail: HostileExport = {
  files: Object.fromEntries(HOSTILE.map((text, index) => [`mail/${NAME}${index}.eml`, message(text, index)])),
  whole: ["messages", "subject"],
  tame: ["messages.id", "messages.thread_id"],
};

export const contacts: HostileExport = {
  files: {
    [`${NAME}.vcf`]: each((text, index) => {
      const [own, other] = [value(text), value(hostile(index + 1))];
      return [
        "BEGIN:VCARD",
        "VERSION:4.0",
        `UID:${index}${value(NAME)}`,
        `FN:${own}`,
        `N:${own};${other};${own};${other};${own}`,
        `NICKNAME:${other}`,
        `ORG:${own};${other}`,
        `TITLE:${other}`,
        `ROLE:${own}`,
        `EMAIL;TYPE=${parameter(NAME)}:${own}`,
        `TEL;TYPE=${parameter(NAME)}:${other}`,
        `ADR:${own};${other};${own};${other};${own};${other};${own}`,
        `URL:${own}`,
        `IMPP:${other}`,
        `X-TWITTER:${own}`,
        `RELATED;TYPE=${parameter(NAME)}:${other}`,
        `BDAY:${value(NAME)}`,
        `ANNIVERSARY:${value(NAME)}`,
        `CATEGORIES:${own},${other}`,
        `NOTE:${own}`,
        index === 0
          ? `PHOTO;ENCODING=b;TYPE=${NAME}:${Buffer.from(text).toString("base64")}`
          : `PHOTO:${hostileUrl(index)}`,
        "END:VCARD\r\n",
      ].join("\r\n");
    }),
  },
  whole: ["contacts", "note"],
  // The photo's bytes contain an attack, but the record has only their type, size and digest.
  tame: ["contacts.photo"],
};

export const calendar: HostileExport = {
  files: {
    [`${NAME}.ics`]: [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:x",
      `X-WR-CALNAME:${value(NAME)}`,
      `${each((text, index) => {
        const [own, other] = [value(text), value(hostile(index + 1))];
        const person = `CN=${parameter(hostile(index + 2))}:mailto:${NAME}@foreign.example`;
        return [
          "BEGIN:VEVENT",
          `UID:${index}${value(NAME)}`,
          "DTSTAMP:20240531T090000Z",
          `DTSTART:202405${String(index + 1).padStart(2, "0")}T090000Z`,
          `SUMMARY:${own}`,
          `DESCRIPTION:${other}`,
          `LOCATION:${own}`,
          `URL:${other}`,
          `ORGANIZER;${person}`,
          `ATTENDEE;${person}`,
          `CATEGORIES:${own},${other}`,
          `RRULE:FREQ=DAILY;COUNT=1;X-NOTE=${NAME}`,
          "END:VEVENT",
          "BEGIN:VTODO",
          `UID:task${index}${value(NAME)}`,
          "DTSTAMP:20240531T090000Z",
          `SUMMARY:${own}`,
          `DESCRIPTION:${other}`,
          `CATEGORIES:${own},${other}`,
          "END:VTODO\r\n",
        ].join("\r\n");
      })}END:VCALENDAR\r\n`,
    ].join("\r\n"),
  },
  whole: ["events", "title"],
  // Importers accept only known time zones.
  tame: ["events.time_zone", "events.id", "occurrences.event_id", "occurrences.id", "tasks.id"],
};

export const bookmarks: HostileExport = {
  files: {
    [`${NAME}.html`]: `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${each(
      (text, index) =>
        `<DT><H3>${html(text)}</H3>\n<DL><p>\n<DT><A HREF="${html(hostileUrl(index))}" ADD_DATE="1700000000">${html(text)}</A>\n</DL><p>\n`,
    )}<DT><A HREF="javascript:window.__hit=1" ADD_DATE="1700000000">A bookmarklet</A>\n</DL><p>\n`,
  },
  whole: ["bookmarks", "title"],
  tame: ["bookmarks.id"],
};

/** Long enough that a page shows it in windows, with an attack across each window boundary. */
const LONG = HOSTILE.join("\n").repeat(5);

export const notes: HostileExport = {
  files: {
    ...Object.fromEntries(
      HOSTILE.map((text, index) => [
        `${NAME}/${NAME}/${NAME}${index}.md`,
        `---\ntitle: ${JSON.stringify(text)}\ntags: [${JSON.stringify(text)}]\naliases: [${JSON.stringify(text)}]\n${JSON.stringify(hostile(index + 1))}: ${JSON.stringify(text)}\n---\n${text}`,
      ]),
    ),
    [`${NAME}/long.md`]: `${LONG}\n[[${NAME}]] ![[${NAME}.png]] https://foreign.example/__hit\n`,
  },
  whole: ["notes", "body"],
  tame: ["notebooks.id", "notebooks.parent_id", "notes.id", "notes.notebook_id"],
};

const attribute = (text: string): string => html(text).replaceAll(">", "&gt;");
const DAY = "2024-05-31";
const span = `creationDate="${DAY} 09:00:00 +0200" startDate="${DAY} 08:00:00 +0200" endDate="${DAY} 08:01:00 +0200"`;

/** Attributes that every kind of measurement has. */
const measured = (index: number): string =>
  `sourceName="${attribute(hostile(index))}" sourceVersion="${attribute(hostile(index + 1))}" device="${attribute(hostile(index + 2))}" ${span}`;
const noted = (index: number): string =>
  `<MetadataEntry key="${attribute(hostile(index))}" value="${attribute(hostile(index + 1))}"/>`;
const words = attribute(NAME);

export const health: HostileExport = {
  files: {
    "export.xml": `<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_IE">
<Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSex${words}" HKCharacteristicTypeIdentifierBloodType="HKBloodType${words}" HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinType${words}"/>
${each(
  (text, index) =>
    `<Record type="HKQuantityTypeIdentifier${attribute(text)}" unit="${attribute(text)}" value="${attribute(hostile(index + 3))}" ${measured(index)}>${noted(index)}</Record>\n`,
)}<Correlation type="${words}" ${measured(3)}>${noted(4)}</Correlation>
<Workout workoutActivityType="${words}" duration="30" totalDistance="5" totalDistanceUnit="${words}" totalEnergyBurned="9" totalEnergyBurnedUnit="${words}" ${measured(5)}>${noted(6)}<WorkoutEvent type="${words}" date="${DAY} 08:00:10 +0200"/><WorkoutStatistics type="${words}" sum="5" unit="${words}"/><WorkoutRoute ${measured(7)}><FileReference path="/${words}.gpx"/></WorkoutRoute></Workout>
<ActivitySummary dateComponents="${DAY}" activeEnergyBurned="4" activeEnergyBurnedUnit="${words}"/>
</HealthData>\n`,
  },
  whole: ["records", "source"],
  tame: ["records.id", "workouts.id", "correlations.id", "correlations.records", "activity_days.id", "profile.id"],
};

export const bank: HostileExport = {
  files: {
    [`${NAME}.csv`]: `IBAN\tDE02120300000000202051\nAccount\tDate\tPayee\tMemo\tAmount\t${cell(NAME)}\n${cell(NAME)}\t2024-05-31\t${cell(NAME)}\t${cell(hostile(1))}\t-1.00\t${cell(NAME)}\n`,
    [`${NAME}.qif`]: `!Account\nN${NAME}\nT${NAME}\n^\n!Type:Bank\n${each(
      (text, index) =>
        `D5/${index + 1}/2024\nT-${index + 1}.50\nP${text}\nM${hostile(index + 1)}\nL${hostile(index + 2)}\nN${hostile(index + 3)}\nS${text}\nE${hostile(index + 4)}\n$-${index + 1}.50\n^\n`,
    )}`,
    [`${NAME}.ofx`]: `OFXHEADER:100\nDATA:OFXSGML\nENCODING:UTF-8\n\n<OFX><SIGNONMSGSRSV1><SONRS><FI><ORG>${html(NAME)}</FI></SONRS></SIGNONMSGSRSV1><STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>${html(NAME)}<ACCTID>${html(NAME)}<ACCTTYPE>${html(NAME)}</BANKACCTFROM><BANKTRANLIST><STMTTRN><TRNTYPE>${html(NAME)}<DTPOSTED>20240531<TRNAMT>-1.00<FITID>${html(NAME)}<CHECKNUM>${html(NAME)}<NAME>${html(NAME)}<MEMO>${html(hostile(1))}</STMTTRN></BANKTRANLIST></STMTRS><INVSTMTRS><INVACCTFROM><BROKERID>${html(NAME)}<ACCTID>${html(NAME)}2</INVACCTFROM><INVTRANLIST><BUYSTOCK><FITID>${html(NAME)}<DTTRADE>20240531<UNIQUEID>${html(NAME)}<UNITS>1<UNITPRICE>2<TOTAL>-2</BUYSTOCK></INVTRANLIST></INVSTMTRS></OFX>\n`,
    [`${NAME}.xml`]: `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>${html(NAME)}</Id></Othr></Id><Nm>${html(NAME)}</Nm><Tp><Cd>${html(NAME)}</Cd></Tp><Ccy>${html(NAME)}</Ccy><Svcr><FinInstnId><Nm>${html(NAME)}</Nm><BIC>${html(NAME)}</BIC></FinInstnId></Svcr></Acct><Bal><Tp><CdOrPrtry><Cd>${html(NAME)}</Cd></CdOrPrtry></Tp><Amt Ccy="${attribute(NAME)}">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${DAY}</Dt></Dt></Bal><Ntry><Amt Ccy="${attribute(NAME)}">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>${html(NAME)}</Sts><BookgDt><Dt>${DAY}</Dt></BookgDt><AcctSvcrRef>${html(NAME)}</AcctSvcrRef><NtryDtls><TxDtls><RltdPties><Cdtr><Nm>${html(NAME)}</Nm></Cdtr><CdtrAcct><Id><IBAN>${html(NAME)}</IBAN></Id></CdtrAcct></RltdPties><RmtInf><Ustrd>${html(hostile(2))}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>\n`,
  },
  whole: ["transactions", "counterparty"],
  accounts: ["Bank (QIF)", NAME, "Bank (camt)", "Bank DE 12030000"],
  // These fields are digests of account numbers, numbers as text, and fixed words.
  tame: [
    "transactions.account",
    "transactions.amount_text",
    "transactions.balance_text",
    "transactions.status",
    "transactions.units",
    "transactions.unit_price",
    "accounts.id",
    "balances.account",
    "balances.amount_text",
    "balances.id",
    "transactions.id",
  ],
};

/** One IPTC field (city, country or keywords) in the format that photo programs write. */
const iptcField = (number: number, text: string): Buffer =>
  Buffer.concat([Buffer.from([0x1c, 2, number, 0, text.length]), Buffer.from(text, "latin1")]);

function withIptc(picture: Buffer, fields: readonly Buffer[]): Buffer {
  const all = Buffer.concat(fields);
  const padded = all.length % 2 === 0 ? all : Buffer.concat([all, Buffer.from([0])]);
  const head = Buffer.from("Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\0", "latin1");
  head.writeUInt32BE(all.length, head.length - 4);
  const segment = Buffer.concat([Buffer.from([0xff, 0xed, 0, 0]), head, padded]);
  segment.writeUInt16BE(segment.length - 2, 2);
  return Buffer.concat([picture.subarray(0, 2), segment, picture.subarray(2)]);
}

const photo = (index: number): Buffer =>
  withIptc(
    jpeg({
      main: { 270: NAME, 271: NAME, 272: NAME, 315: NAME },
      exif: { 36867: "2024:05:31 09:00:00", 36881: "+00:00", 42036: NAME },
      thumbnail: Buffer.concat([jpeg({}), Buffer.from(NAME)]),
      width: index + 1,
    }),
    [iptcField(25, NAME), iptcField(80, NAME), iptcField(90, NAME), iptcField(101, NAME)],
  );

export const photos: HostileExport = {
  files: Object.fromEntries(
    HOSTILE.flatMap((text, index): [string, string | Uint8Array][] => [
      [`${NAME}/${NAME}${index}.jpg`, photo(index)],
      [
        `${NAME}/${NAME}${index}.jpg.json`,
        JSON.stringify({
          title: text,
          description: text,
          photoTakenTime: { timestamp: "1717146000" },
          people: [{ name: hostile(index + 1) }],
        }),
      ],
    ]),
  ),
  whole: ["photos", "caption"],
  tame: ["photos.id", "photos.media_type", "photos.sha256", "photos.thumbnail", "photos.picture"],
};

export const shell: HostileExport = {
  files: {
    [`${NAME}fish_history`]: each(
      (text, index) => `- cmd: ${text}\n  when: ${1_717_146_000 + index}\n  paths:\n    - ${hostile(index + 1)}\n`,
    ),
  },
  answers: { machine: NAME },
  whole: ["commands", "command"],
  accounts: [`Shell history of ${NAME}`],
  tame: ["commands.id"],
};

export const tables: HostileExport = {
  files: {
    [`${NAME}.csv`]: `id,said,${cell(NAME)}\n${each((text, index) => `${cell(text)},${cell(text)},${cell(hostile(index + 1))}\n`)}`,
    [`${NAME}.json`]: JSON.stringify(
      HOSTILE.slice(0, 3).map((text, index) => ({ id: index, [NAME]: { [text]: [text] }, said: text })),
    ),
  },
  whole: ["img_src_x_onerror_window___hit_1", "said"],
  accounts: [NAME],
  // This field collects values that do not fit the type of their column. Such values occur only after the first
  // thousand rows.
  tame: ["img_src_x_onerror_window___hit_1._other"],
};

export const shelves: HostileExport = {
  files: {
    [`${NAME}.csv`]: `Book Id,Title,Author,ISBN13,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review,${cell(NAME)}\n${each(
      (text, index) =>
        `${index + 1},${cell(text)},${cell(hostile(index + 1))},${cell(NAME)},4,2024/05/31,2024/05/01,${cell(NAME)},${cell(NAME)},${cell(hostile(index + 2))},${cell(NAME)}\n`,
    )}`,
    [`films/${NAME}.csv`]: `Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,${cell(NAME)}\n${each(
      (text, index) => `2024-05-31,${cell(text)},2020,${cell(hostileUrl(index))},4,No,${cell(NAME)},${cell(NAME)}\n`,
    )}`,
  },
  whole: ["films", "title"],
  accounts: ["Goodreads", "Letterboxd"],
  tame: ["books.id", "films.id"],
};
