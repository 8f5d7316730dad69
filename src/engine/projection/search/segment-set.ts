// An index's segments: which are in memory, which are stored, and where a record's document is.
import { lowerBound } from "../../../core/binary-search.ts";
import { findDocument, type RecordName } from "./document-ids.ts";
import { INDEX } from "./limits.ts";
import type { SearchManifest } from "./manifest.ts";
import { mergeSegments } from "./merge.ts";
import type { SegmentSource } from "./run-search.ts";
import { type SearchSegment, segmentBytes } from "./segment.ts";
import { countLive, readDead, readSegment, writeDead, writeSegment } from "./segment-file.ts";
import { killDocument } from "./segment-summary.ts";
import { chooseMerge } from "./tiers.ts";
import type { SearchSegmentStore } from "./types.ts";

/** An expected segment cannot be read, so the index must be loaded again or rebuilt. */
export class SegmentLost extends Error {}

interface Slot {
  name: string;
  documents: number;
  live: number;
  bytes: number;
  persisted: boolean;
  /** The name of the stored blob of dead documents, and whether that blob is older than `dead`. */
  deadName?: string;
  deadChanged: boolean;
  /** Stays in memory, unlike the segment. */
  dead: Uint8Array;
  segment?: SearchSegment;
  /** Kept when the segment is dropped, so that updating a record loads only the segment that contains it. */
  idHashes?: Uint32Array;
  used: number;
}

export class SegmentSet implements SegmentSource {
  private slots: Slot[] = [];
  private clock = 0;
  private store: SearchSegmentStore;
  private memory: number;
  private newName: () => string;
  private pins = new Set<Slot>();

  constructor(store: SearchSegmentStore, memory: number, newName: () => string) {
    this.store = store;
    this.memory = memory;
    this.newName = newName;
  }

  get size(): number {
    return this.slots.length;
  }

  get documents(): number {
    return this.slots.reduce((sum, slot) => sum + slot.live, 0);
  }

  get bytes(): number {
    return this.slots.reduce((sum, slot) => sum + slot.bytes, 0);
  }

  get residentBytes(): number {
    return this.slots.reduce((sum, slot) => sum + (slot.segment ? slot.bytes : 0), 0);
  }

  get resident(): boolean {
    return this.bytes <= this.memory;
  }

  /** Loads what a manifest lists. The segments themselves are loaded on demand. */
  async restore(manifest: SearchManifest): Promise<void> {
    this.slots = [];
    for (const { name, dead: deadName, documents, live, bytes } of manifest.segments) {
      const stored = deadName === undefined ? undefined : await this.store.read(deadName);
      const dead = deadName === undefined ? new Uint8Array(documents) : stored && readDead(stored, documents);
      if (!dead || countLive(dead) !== live) throw new SegmentLost(name);
      this.slots.push({
        name,
        documents,
        live,
        bytes,
        persisted: true,
        ...(deadName === undefined ? {} : { deadName }),
        deadChanged: false,
        dead,
        used: 0,
      });
    }
  }

  clear(): void {
    this.slots = [];
  }

  add(segment: SearchSegment): void {
    if (segment.live === 0) return;
    const { documents, live, dead } = segment;
    const bytes = segmentBytes(segment);
    const deadChanged = live < documents;
    this.slots.push({
      name: this.newName(),
      documents,
      live,
      bytes,
      persisted: false,
      deadChanged,
      dead,
      segment,
      used: ++this.clock,
    });
    this.makeRoom();
  }

  async each(visit: (segment: SearchSegment) => void): Promise<void> {
    for (const slot of this.slots) {
      slot.used = ++this.clock;
      visit(slot.segment ?? (await this.read(slot)));
    }
  }

  /** Marks the record's document as dead, wherever it is. */
  async kill(name: RecordName): Promise<void> {
    // Newest segments first, because most changes concern recent records.
    for (let at = this.slots.length - 1; at >= 0; at--) {
      const slot = this.slots[at]!;
      const hashes = slot.segment?.idHashes ?? slot.idHashes;
      if (hashes && !includesSorted(hashes, name.hash)) continue;
      const segment = slot.segment ?? (await this.read(slot));
      const document = findDocument(segment, name);
      if (document < 0) continue;
      this.killDocument(slot, segment, document);
      return;
    }
  }

  /** Marks all documents of a stream as dead. */
  async killStream(streamNo: number): Promise<void> {
    for (const slot of this.slots) {
      const segment = slot.segment ?? (await this.read(slot));
      if (!segment.streams.some((stream) => stream.streamNo === streamNo)) continue;
      for (let document = 0; document < segment.documents; document++) {
        const mine = segment.streams[segment.streamOf[document]!]!.streamNo === streamNo;
        if (mine && slot.dead[document] === 0) this.killDocument(slot, segment, document);
      }
    }
  }

  private killDocument(slot: Slot, segment: SearchSegment, document: number): void {
    killDocument(segment, document);
    slot.deadChanged = true;
    slot.live--;
  }

  /** Merges until no tier is full, creating segments of at most `most` documents. Returns true if anything changed. */
  async merge(most: number = INDEX.segmentDocuments): Promise<boolean> {
    let merged = false;
    this.slots = this.slots.filter((slot) => slot.live > 0);
    for (let chosen = chooseMerge(this.slots, most); chosen.length > 0; chosen = chooseMerge(this.slots, most)) {
      const segments: SearchSegment[] = [];
      for (const slot of chosen) {
        this.pins.add(slot);
        segments.push(slot.segment ?? (await this.read(slot)));
      }
      this.pins.clear();
      const segment = mergeSegments(segments);
      this.slots = this.slots.filter((slot) => !chosen.includes(slot));
      this.add(segment);
      merged = true;
    }
    return merged;
  }

  /** Returns the writes that make the store match these segments. Call `saved` when they are done. */
  unsaved(): { put: { name: string; bytes: Uint8Array }[]; segments: SearchManifest["segments"]; saved: () => void } {
    const put: { name: string; bytes: Uint8Array }[] = [];
    const deadNames = new Map<Slot, string>();
    for (const slot of this.slots) {
      if (!slot.persisted) put.push({ name: slot.name, bytes: writeSegment(slot.segment!) });
      if (!slot.deadChanged) continue;
      const name = `${slot.name}.${this.newName()}`;
      deadNames.set(slot, name);
      put.push({ name, bytes: writeDead(slot.dead) });
    }
    const segments = this.slots.map((slot) => {
      const dead = deadNames.get(slot) ?? slot.deadName;
      const { name, documents, live, bytes } = slot;
      return { name, documents, live, bytes, ...(dead === undefined ? {} : { dead }) };
    });
    const slots = [...this.slots];
    const saved = () => {
      for (const slot of slots) {
        slot.persisted = true;
        slot.deadChanged = false;
        const deadName = deadNames.get(slot);
        if (deadName !== undefined) slot.deadName = deadName;
      }
      this.makeRoom();
    };
    return { put, segments, saved };
  }

  private async read(slot: Slot): Promise<SearchSegment> {
    const stored = await this.store.read(slot.name);
    const segment = stored && readSegment(stored, slot.dead, slot.bytes);
    if (!segment || segment.documents !== slot.documents) throw new SegmentLost(slot.name);
    slot.segment = segment;
    slot.used = ++this.clock;
    this.makeRoom(slot);
    return segment;
  }

  /** Drops stored segments from memory, least recently used first, until the rest fits. */
  private makeRoom(spared?: Slot): void {
    let resident = this.residentBytes;
    if (resident <= this.memory) return;
    const candidates = this.slots.filter(
      (slot) => slot.persisted && slot.segment && slot !== spared && !this.pins.has(slot),
    );
    for (const slot of candidates.sort((one, other) => one.used - other.used)) {
      if (resident <= this.memory) return;
      slot.idHashes ??= slot.segment!.idHashes.slice();
      slot.segment = undefined;
      resident -= slot.bytes;
    }
  }
}

const includesSorted = (values: Uint32Array, wanted: number): boolean => values[lowerBound(values, wanted)] === wanted;
