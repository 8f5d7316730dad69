// The import page with JavaScript: dropped or chosen files are uploaded in pieces, and the upload resumes if the
// connection breaks.
(() => {
  /** Under this browser's key, like the page itself. */
  const ROOT = `${location.pathname.split("/dashboard")[0]}/dashboard`;
  const API = `${ROOT}/v1/imports`;
  const SAVED = "postern.sending";
  const SAVED_MAX = 5;
  /** A piece is about as large as can be sent in a second. */
  const PIECE = { first: 512 * 1024, least: 64 * 1024, most: 16 * 1024 * 1024 };
  const WAIT = { first: 1000, most: 15_000 };
  /** Statuses after which a retry may succeed. */
  const PASSING = [408, 409, 429, 502, 503, 504];

  const part = (id) => document.getElementById(id);
  const form = part("drop");
  const [what, how, bar, trouble] = ["what", "how", "bar", "trouble"].map((name) => part(`sending-${name}`));
  const csrf = form.elements.csrf.value;
  let stop;

  // For older browsers. Current ones detect scripting in the stylesheet, before anything is shown.
  form.classList.add("live");
  for (const button of form.querySelectorAll("[data-pick]"))
    button.addEventListener("click", () => part(button.dataset.pick).click());
  part("files").addEventListener("change", ({ target }) => begin([...target.files].map(fileThing)));
  part("folder").addEventListener("change", ({ target }) => begin(folderThings([...target.files].map(placed))));
  part("sending-cancel").addEventListener("click", () => stop?.abort("cancelled"));

  // A file that is dropped outside the form would replace the page.
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  for (const name of ["dragleave", "drop"]) document.addEventListener(name, () => form.classList.remove("over"));
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    // The list is empty after the first await.
    const items = [...event.dataTransfer.items].filter(({ kind }) => kind === "file");
    const entries = items.map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
    try {
      begin((await Promise.all(entries.map(droppedThings))).flat());
    } catch (error) {
      complain(`The files could not be read: ${error.message}`);
    }
  });
  addEventListener("beforeunload", (event) => {
    if (stop !== undefined) event.preventDefault();
  });

  /** One upload: a file, or a folder as a tar archive. The archive is never built, only read piece by piece. */
  function fileThing(file) {
    return { name: file.name, size: file.size, parts: [file], mark: file.lastModified };
  }

  const placed = (file) => ({ path: file.webkitRelativePath || file.name, file });

  /** Groups files with paths by their topmost folder. */
  function folderThings(files) {
    const folders = new Map();
    for (const { path, file } of files) {
      const [top, ...inside] = path.split("/");
      if (!folders.has(top)) folders.set(top, []);
      folders.get(top).push({ path: inside.join("/") || top, file });
    }
    return [...folders].map(([name, inside]) => tarThing(name, inside));
  }

  async function droppedThings(entry) {
    if (entry === null) return [];
    if (entry instanceof File) return [fileThing(entry)];
    if (entry.isFile) return [fileThing(await fileOf(entry))];
    const files = [];
    await walk(entry, "", files);
    return files.length === 0 ? [] : [tarThing(entry.name, files)];
  }

  const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

  async function walk(folder, path, files) {
    const reader = folder.createReader();
    for (;;) {
      // readEntries returns about a hundred entries at a time, until there are no more.
      const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (entries.length === 0) return;
      for (const entry of entries) {
        if (entry.isFile) files.push({ path: path + entry.name, file: await fileOf(entry) });
        else await walk(entry, `${path}${entry.name}/`, files);
      }
    }
  }

  const encoder = new TextEncoder();

  /** The same folder gives the same bytes, so an interrupted upload can continue after the page was closed. */
  function tarThing(name, files) {
    const sorted = files.sort((one, other) => (one.path < other.path ? -1 : 1));
    const parts = [];
    for (const { path, file } of sorted) {
      parts.push(...tarHeader(path, file), file);
      if (file.size % 512 > 0) parts.push(new Uint8Array(512 - (file.size % 512)));
    }
    parts.push(new Uint8Array(1024));
    const size = parts.reduce((sum, one) => sum + sizeOf(one), 0);
    const mark = sorted.reduce((sum, { file }) => sum + file.lastModified, sorted.length);
    return { name: `${name}.tar`, size, parts, mark, files: sorted.length };
  }

  const sizeOf = (one) => one.size ?? one.byteLength;
  const SIZE_MAX = 0o77777777777;

  /** Values that do not fit into the header are written before it. */
  function tarHeader(path, { size, lastModified }) {
    const more = [];
    if (encoder.encode(path).length > 100) more.push(paxLine("path", path));
    if (size > SIZE_MAX) more.push(paxLine("size", size));
    const seconds = Math.max(0, Math.floor(lastModified / 1000));
    const own = tarBlock(path, Math.min(size, SIZE_MAX), seconds, "0");
    if (more.length === 0) return [own];
    const pax = encoder.encode(more.join(""));
    const padded = new Uint8Array(Math.ceil(pax.length / 512) * 512);
    padded.set(pax);
    return [tarBlock("pax", pax.length, seconds, "x"), padded, own];
  }

  /** The length at the beginning of the line includes its own digits. */
  function paxLine(name, value) {
    const rest = encoder.encode(` ${name}=${value}\n`).length;
    let length = rest + 1;
    while (length !== rest + String(length).length) length = rest + String(length).length;
    return `${length} ${name}=${value}\n`;
  }

  function tarBlock(path, size, seconds, type) {
    const block = new Uint8Array(512);
    const put = (text, at) => block.set(encoder.encode(text), at);
    block.set(encoder.encode(path).subarray(0, 100), 0);
    put("0000644\x000000000\x000000000\0", 100);
    put(`${octal(size, 11)}\0${octal(seconds, 11)}\0${" ".repeat(8)}${type}`, 124);
    put("ustar\x0000", 257);
    put(
      `${octal(
        block.reduce((sum, byte) => sum + byte, 0),
        6,
      )}\0 `,
      148,
    );
    return block;
  }

  const octal = (number, digits) => number.toString(8).padStart(digits, "0");

  function slice(parts, from, to) {
    const found = [];
    let at = 0;
    for (const one of parts) {
      const end = at + sizeOf(one);
      if (end > from && at < to) found.push(one.slice(Math.max(0, from - at), Math.min(end, to) - at));
      if (end >= to) break;
      at = end;
    }
    return new Blob(found);
  }

  async function begin(things) {
    if (stop !== undefined) return;
    if (things.length === 0) return complain("The folder contains no files.");
    if (things.length > 1000)
      return complain("That is more than 1,000 files. Choose their folder, or an archive of them.");
    stop = new AbortController();
    form.hidden = true;
    part("sending").hidden = false;
    settle();
    const progress = {
      sent: 0,
      total: things.reduce((sum, { size }) => sum + size, 0),
      at: performance.now(),
      first: 0,
    };
    const sending = resumed(things);
    try {
      for (const [index, thing] of things.entries()) {
        what.textContent = things.length === 1 ? thing.name : `${thing.name} (${index + 1} of ${things.length})`;
        await sendThing(sending, thing, index, progress);
      }
      what.textContent = "Checking the contents…";
      how.textContent = "";
      bar.removeAttribute("value");
      keep(sending.identity);
      stop = undefined;
      location.assign(`${ROOT}/import/${encodeURIComponent(sending.importId)}`);
    } catch (error) {
      const cancelled = stop.signal.aborted;
      stop = undefined;
      form.hidden = false;
      form.reset();
      part("sending").hidden = true;
      if (!cancelled) return complain(error.message);
      keep(sending.identity);
      if (sending.importId !== undefined && !sending.added)
        await call("POST", `${API}/${sending.importId}/cancel`).catch(() => undefined);
      location.reload();
    }
  }

  /** Resumes an interrupted upload of the same files, or starts a new one. */
  function resumed(things) {
    const identity = JSON.stringify(things.map(({ name, size, mark }) => [name, size, mark]));
    const to = form.elements.import_id?.value;
    const found = saved()[identity];
    if (found !== undefined && (to === undefined || to === found.importId)) return { ...found, again: true };
    return { identity, importId: to, added: to !== undefined, urls: [] };
  }

  function saved() {
    try {
      return JSON.parse(localStorage.getItem(SAVED)) ?? {};
    } catch {
      return {};
    }
  }

  /** Keeps the last few uploads; undefined removes one. */
  function keep(identity, sending) {
    const { [identity]: _before, ...others } = saved();
    const all = { ...others, ...(sending && { [identity]: sending }) };
    localStorage.setItem(SAVED, JSON.stringify(Object.fromEntries(Object.entries(all).slice(-SAVED_MAX))));
  }

  async function sendThing(sending, thing, index, progress) {
    const upload = await placeFor(sending, thing, index);
    let at = upload.offset;
    let piece = PIECE.first;
    progress.sent += at;
    progress.first += at;
    while (at < thing.size) {
      const began = performance.now();
      const to = Math.min(thing.size, at + piece);
      const next = await persistently(
        () => sendPiece(upload.upload_url, at, slice(thing.parts, at, to)),
        async () => (await call("GET", ROOT + upload.upload_url)).json().then(({ offset }) => offset),
      );
      const took = performance.now() - began;
      if (took < 500) piece = Math.min(PIECE.most, piece * 2);
      if (took > 2000) piece = Math.max(PIECE.least, piece / 2);
      progress.sent += next - at;
      at = next;
      tell(progress);
    }
  }

  async function placeFor(sending, thing, index) {
    if (sending.again && sending.urls[index] !== undefined) {
      const found = await persistently(() => call("GET", ROOT + sending.urls[index])).catch(() => undefined);
      const upload = await found?.json();
      if (upload?.size === thing.size) return upload;
      // The import was deleted or started in the meantime, so the upload begins again.
      Object.assign(sending, { importId: undefined, urls: [], again: false });
    }
    const { name, size } = thing;
    const created = await persistently(
      () =>
        call("POST", API, JSON.stringify({ name, size, import_id: sending.importId })).then((answer) => answer.json()),
      // The response was lost, but the request may have succeeded.
      async () => {
        if (sending.importId === undefined || sending.added) return undefined;
        const { files } = await (await call("GET", `${API}/${sending.importId}`)).json();
        const found = files[index];
        return (
          found && {
            ...found,
            import_id: sending.importId,
            upload_url: `/v1/imports/uploads/${found.import_upload_id}`,
          }
        );
      },
    );
    sending.importId = created.import_id;
    sending.urls[index] = created.upload_url;
    const { identity, importId, added, urls } = sending;
    keep(identity, { identity, importId, added, urls });
    return created;
  }

  async function sendPiece(url, offset, bytes) {
    const answer = await call("PATCH", ROOT + url, bytes, { "Upload-Offset": String(offset) });
    return Number(answer.headers.get("Upload-Offset"));
  }

  async function call(method, path, body, headers = {}) {
    const signal = path.endsWith("/cancel") ? undefined : stop?.signal;
    const answer = await fetch(path, { method, body, headers: { "Postern-Form": csrf, ...headers }, signal });
    if (answer.ok) return answer;
    const { error } = await answer.json().catch(() => ({}));
    const said =
      [error?.message, error?.next_step].filter(Boolean).join(". ") ||
      `The server responded with status ${answer.status}`;
    throw Object.assign(new Error(said), { status: answer.status });
  }

  /**
   * Retries until the work succeeds or fails for good. `look` finds out what already succeeded; if it returns
   * undefined, the work is repeated.
   */
  async function persistently(work, look = async () => undefined) {
    for (let wait = WAIT.first, failed = false; ; wait = Math.min(WAIT.most, wait * 2)) {
      try {
        const answer = (failed ? await look() : undefined) ?? (await work());
        settle();
        return answer;
      } catch (error) {
        if (stop.signal.aborted || (error.status !== undefined && !PASSING.includes(error.status))) throw error;
        failed = true;
        trouble.hidden = false;
        trouble.textContent =
          "The connection was interrupted. The upload resumes as soon as the server can be reached.";
        await pause(wait);
      }
    }
  }

  /** Waits for this time, or until the network is back. */
  function pause(milliseconds) {
    return new Promise((resolve) => {
      setTimeout(resolve, milliseconds);
      addEventListener("online", resolve, { once: true });
      stop.signal.addEventListener("abort", resolve, { once: true });
    });
  }

  const settle = () => {
    trouble.hidden = true;
  };

  function complain(text) {
    const old = part("sending-refused");
    const box = document.createElement("div");
    box.id = "sending-refused";
    box.className = "alert";
    box.setAttribute("role", "alert");
    box.textContent = text;
    if (old === null) form.before(box);
    else old.replaceWith(box);
  }

  function tell({ sent, total, at, first }) {
    bar.max = Math.max(1, total);
    bar.value = sent;
    const seconds = (performance.now() - at) / 1000;
    const rate = (sent - first) / seconds;
    const left = rate > 0 && seconds > 2 ? `, ${inWords((total - sent) / rate)} left` : "";
    how.textContent = `${bytes(sent)} of ${bytes(total)}, ${bytes(rate)} a second${left}`;
  }

  function bytes(count) {
    const step = count < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(count) / 3));
    const value = count / 1000 ** step;
    return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${["bytes", "KB", "MB", "GB", "TB"][step]}`;
  }

  const inWords = (seconds) =>
    seconds < 90
      ? `${Math.ceil(seconds)} s`
      : seconds < 5400
        ? `${Math.round(seconds / 60)} min`
        : `${(seconds / 3600).toFixed(1)} h`;
})();
