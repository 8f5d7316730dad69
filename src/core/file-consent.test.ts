// Consent for the files lens with random requests, roots and answers: never more than was requested, offered and
// chosen.
import fc from "fast-check";
import { expect, it } from "vitest";
import { AI_TRAINING_PURPOSE } from "../contract/data-access.ts";
import { PdppError } from "../contract/errors.ts";
import { FILE_ACCESS_TYPE, FILE_POWERS, FILES_SOURCE, FILES_STREAM } from "../contract/file-access.ts";
import type { FileConsentQuery } from "../contract/file-consent.ts";
import { approveRoots, fileOffer } from "./file-consent.ts";
import type { StreamShape } from "./scope.ts";

const PATHS = ["/", "/a", "/a/b", "/a/b c", "/ä"];

const root = (path: string, index: number): StreamShape => ({
  streamNo: index + 1,
  name: FILES_STREAM,
  connectionId: `cin_${index}`,
  connectorKey: "files",
  displayName: path,
  source: FILES_SOURCE,
  sourceName: "Files",
  declaration: { name: FILES_STREAM, semantics: "mutable_state", schema: {}, primary_key: ["node_id"] },
  fields: new Map([["node_id", { name: "node_id", type: "string", nullable: false, required: true }]]),
  lists: new Map(),
  blobFields: new Set(),
});

const roots = fc.subarray(PATHS).map((paths) => paths.map(root));
const named = fc.array(fc.constantFrom(...PATHS, "/a/", "/a/b//", "cin_0", "cin_3", "/none", "", "cin_9"), {
  minLength: 1,
  maxLength: 4,
});
const powers = fc.array(fc.constantFrom(...FILE_POWERS), { minLength: 1, maxLength: 4 });
const query: fc.Arbitrary<FileConsentQuery> = fc.record(
  {
    client: fc.constant({ client_id: "cli_1", name: "App", redirect_uri: "" }),
    detail: fc.record(
      {
        type: fc.constant(FILE_ACCESS_TYPE as typeof FILE_ACCESS_TYPE),
        roots: named,
        may: powers,
        purpose_code: fc.constantFrom(AI_TRAINING_PURPOSE, "https://test.example/purpose"),
        access_mode: fc.constantFrom("single_use" as const, "continuous" as const),
      },
      { requiredKeys: ["type", "may", "access_mode"] },
    ),
  },
  { requiredKeys: ["client"] },
);
const choice = fc.record({
  roots: fc.array(fc.constantFrom("cin_0", "cin_1", "cin_2", "cin_4", "cin_9"), { maxLength: 3 }),
  may: fc.array(fc.constantFrom(...FILE_POWERS), { maxLength: 4 }),
  duration: fc.constantFrom("once" as const, "1h" as const, "forever" as const),
  ai_training: fc.boolean(),
});

it("S-13 grants only what was chosen, offers only what was requested and approved (granted ⊆ chosen ⊆ offered ⊆ requested and approved)", () => {
  let approvals = 0;
  fc.assert(
    fc.property(roots, query, choice, (here, asked, chosen) => {
      const offer = fileOffer(asked, here);
      const { detail } = asked;
      const offered = offer.roots.map(({ connection_id }) => connection_id);
      expect(new Set(offered).size).toBe(offered.length);
      for (const { connection_id, path } of offer.roots) {
        const wanted = detail?.roots?.map((name) => name.replace(/(?<=.)\/+$/, ""));
        expect(here.some((one) => one.connectionId === connection_id && one.displayName === path)).toBe(true);
        if (wanted !== undefined) expect(wanted.some((name) => [connection_id, path].includes(name))).toBe(true);
      }
      expect(offer.powers.every(({ power, preselected }) => !preselected || power !== "download")).toBe(true);
      if (detail === undefined) expect(offer.roots.every(({ preselected }) => !preselected)).toBe(true);
      try {
        const { grants, accessMode } = approveRoots(asked, chosen, here);
        approvals++;
        expect(grants.map(({ shape }) => shape.connectionId).sort()).toEqual([...chosen.roots].sort());
        for (const { shape, streams, files } of grants) {
          expect(offered).toContain(shape.connectionId);
          expect(streams).toMatchObject([{ name: FILES_STREAM, instance_ids: [shape.connectionId] }]);
          expect(files.may[0]).toBe("navigate");
          for (const power of files.may.slice(1)) {
            expect(chosen.may).toContain(power);
            expect(detail?.may ?? FILE_POWERS).toContain(power);
          }
        }
        if (detail?.access_mode === "single_use") expect(accessMode).toBe("single_use");
        if (detail?.purpose_code === AI_TRAINING_PURPOSE) expect(chosen.ai_training).toBe(true);
      } catch (error) {
        if (!(error instanceof PdppError)) throw error;
        expect(error.code).toBe("invalid_request");
      }
    }),
    { numRuns: 2000 },
  );
  expect(approvals).toBeGreaterThan(50);
});
