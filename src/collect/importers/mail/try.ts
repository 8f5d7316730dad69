import { writeFileSync, createReadStream, statSync } from "node:fs";
import PostalMime from "/work/main/node_modules/postal-mime/dist/esm/postal-mime.js";
import { mailImporter } from "/work/main/src/collect/importers/mail/importer.ts";
const file = "/tmp/bench-mail.mbox";
const words = "lorem ipsum dolor sit amet consetetur sadipscing elitr sed diam nonumy eirmod tempor invidunt ut labore et dolore magna".split(" ");
let seed = 1; const rnd = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
const text = (n: number) => { let o = ""; let line = 0; for (let i = 0; i < n; i++) { const w = words[Math.floor(rnd() * words.length)]!; o += w + " "; line += w.length; if (line > 65) { o += "\n"; line = 0; } } return o; };
const N = 4000; let out = ""; const raws: Buffer[] = [];
for (let i = 0; i < N; i++) {
  const kind = i % 4;
  const head = `Delivered-To: me@example.com\nReceived: by 10.0.0.1 with SMTP id abc${i};\n Mon, 1 Jan 2024 10:00:00 -0800 (PST)\nReceived: from x.example.com\n by mx.example.com; Mon, 1 Jan 2024 10:00:00 -0800 (PST)\nDKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;\n d=example.com; s=20230601; t=1704132000; bh=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;\n b=bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\nFrom: Someone ${i % 50} <someone${i % 50}@example.com>\nTo: Me <me@example.com>\nSubject: Hello ${i} ${text(5).trim()}\nDate: Mon, 1 Jan 2024 10:00:00 -0800\nMessage-ID: <${i}@example.com>\nMIME-Version: 1.0\n`;
  let body;
  if (kind === 0) body = `Content-Type: text/plain; charset=utf-8\n\n${text(300)}\n`;
  else if (kind === 1) body = `Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n<html><head><style>p {color: red}</style></head><body>${Array.from({ length: 40 }, () => `<p style=3D"color:#333">${text(15)}<a href=3D"https://example.com/x">link</a></p>`).join("\n")}</body></html>\n`;
  else if (kind === 2) body = `Content-Type: multipart/alternative; boundary="b${i}"\n\n--b${i}\nContent-Type: text/plain; charset=utf-8\n\n${text(300)}\n--b${i}\nContent-Type: text/html; charset=utf-8\n\n<div>${text(400)}</div>\n--b${i}--\n`;
  else body = `Content-Type: multipart/mixed; boundary="b${i}"\n\n--b${i}\nContent-Type: text/plain; charset=utf-8\n\n${text(100)}\n--b${i}\nContent-Type: application/pdf; name="a.pdf"\nContent-Disposition: attachment; filename="a.pdf"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(text(4000)).toString("base64").replace(/(.{76})/g, "$1\n")}\n--b${i}--\n`;
  raws.push(Buffer.from(head + body));
  out += `From someone@example.com Mon Jan  1 10:00:00 2024\n${head}${body}\n`;
}
writeFileSync(file, out);
const size = statSync(file).size;
const entry = { path: "bench.mbox", size, open: () => createReadStream(file), file: async () => file };
const blob = async (bytes: Uint8Array, mimeType: string) => ({ blob_id: "b", mime_type: mimeType, size_bytes: bytes.byteLength, sha256: "" });
for (let round = 0; round < 4; round++) {
  let t = performance.now();
  for (const raw of raws) await PostalMime.parse(raw);
  const bare = performance.now() - t;
  t = performance.now();
  let n = 0;
  for await (const e of mailImporter.run({ name: "x", entries: [entry] }, { answers: {}, blob })) if (e.kind === "record") { n++; JSON.stringify(e.data); }
  const ours = performance.now() - t;
  console.log(`${(size / 1e6).toFixed(0)} MB, ${n}; bare ${bare.toFixed(0)} ms, importer ${ours.toFixed(0)} ms, ratio ${(ours / bare).toFixed(2)}, rss ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`);
}
