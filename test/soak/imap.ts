// npm run soak -- imap [KILLS] [--seed N] [--messages N]: runs of the IMAP connector killed at random moments, and a first sync of many messages.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { drive, newKept, ofType } from "../../src/connectors/imap/drive.fixture.ts";
import { startMailServer } from "../../src/connectors/imap/mail-server.fixture.ts";
import { mail, settingsOf } from "../../src/connectors/imap/mailbox.fixture.ts";
import { runImapCrashes } from "../crash/imap-crashes.ts";

const { values, positionals } = parseArgs({
  options: { seed: { type: "string" }, messages: { type: "string" } },
  allowPositionals: true,
});
const kills = Number(positionals[0] ?? 50);
const seed = Number(values.seed ?? randomInt(2 ** 31));
const messages = Number(values.messages ?? 10_000);

const server = await startMailServer({ plugins: ["ENABLE", "CONDSTORE"] });
for (let number = 0; number < messages; number++) server.append("INBOX", mail(`${number}@example.com`));
const kept = newKept();
for (const stage of ["first sync", "nothing new"]) {
  const begun = performance.now();
  const run = await drive({ settings: settingsOf(server), kept, asProcess: true });
  const seconds = (performance.now() - begun) / 1000;
  const records = ofType(run, "RECORD").length;
  if (run.done?.status !== "succeeded" || kept.records.size !== messages)
    throw new Error(`${stage}: ${kept.records.size} of ${messages} messages, ${JSON.stringify(run.done)}`);
  const state = JSON.stringify(kept.state).length;
  console.log(
    `${stage}: ${records} records in ${seconds.toFixed(1)} s, ${Math.round(records / seconds)}/s, cursor ${state} bytes`,
  );
}
await server.close();

console.log(`seed ${seed}, ${kills} kills`);
await runImapCrashes({
  seed,
  kills,
  messages: 1000,
  onRound: (killed, summary) => console.log(`${killed}: ${summary}`),
});
console.log("every mailbox ended with the same result as an uninterrupted run");
