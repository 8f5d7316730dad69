// The store contract for signing in: tokens, stored items and the owner.
import { beforeEach, describe, expect, it } from "vitest";
import type { AuthItem } from "./rows.ts";
import type { Store } from "./store.ts";
import { NOW } from "./store-samples.fixture.ts";

const authItem: AuthItem = {
  kind: "Code",
  hash: "",
  body: "1",
  grantId: null,
  uid: null,
  userCode: null,
  consumedAt: null,
  expiresAt: null,
};

export function authorityContract(opened: () => Store): void {
  describe("tokens, stored items and the owner", () => {
    let store: Store;
    let subject: string;
    beforeEach(async () => {
      store = opened();
      subject = await store.read((view) => view.subject());
    });

    it("tokens are kept until they are deleted, which increases the epoch, so that cached callers are dropped", async () => {
      const token = { subjectId: subject, packageId: null, audience: "records", label: null } as const;
      const client = { ...token, kind: "client", grantId: "grt_1", expiresAt: null } as const;
      const session = { ...token, kind: "session", grantId: null, expiresAt: NOW, label: "a browser" } as const;
      await store.write(async (view) => {
        await view.putToken("hash", client, NOW);
        await view.putToken("cookie", session, NOW);
      });
      await store.read(async (view) => {
        expect(await view.token("hash")).toEqual(client);
        expect(await view.token("other")).toBeUndefined();
        expect(await view.tokensOf(subject, "session")).toEqual([
          { hash: "cookie", createdAt: NOW, expiresAt: NOW, label: "a browser" },
        ]);
        expect(await view.tokensOf(subject, "owner")).toEqual([]);
      });
      const before = await store.read((view) => view.epoch());
      await store.write((view) => view.deleteToken("hash"));
      expect(await store.read((view) => view.token("hash"))).toBeUndefined();
      expect(await store.read((view) => view.epoch())).toBeGreaterThan(before);
      await store.write((view) => view.pruneAuth(NOW + 1));
      expect(await store.read((view) => view.token("cookie"))).toBeUndefined();
    });

    it("V-07 tokens that expire with their grant get its new expiry when that changes; other tokens are unchanged", async () => {
      const token = { subjectId: subject, kind: "client", packageId: null, audience: "records", label: null } as const;
      await store.write(async (view) => {
        await view.putToken("with", { ...token, grantId: "grt_1", expiresAt: NOW }, NOW);
        await view.putToken("earlier", { ...token, grantId: "grt_1", expiresAt: NOW - 1 }, NOW);
        await view.putToken("other", { ...token, grantId: "grt_2", expiresAt: NOW }, NOW);
        await view.putToken("whole", { ...token, grantId: null, packageId: "gpkg_1", expiresAt: NOW }, NOW);
        await view.moveTokenExpiry("grt_1", NOW, NOW + 5);
        await view.moveTokenExpiry("gpkg_1", NOW, null);
      });
      const ends = await store.read((view) =>
        Promise.all(["with", "earlier", "other", "whole"].map(async (hash) => (await view.token(hash))?.expiresAt)),
      );
      expect(ends).toEqual([NOW + 5, NOW - 1, NOW, null]);
    });

    it("an authorization server item is consumed once, found by its keys, and deleted with its grant or when it expires", async () => {
      const put = (hash: string, more: Partial<AuthItem>): Promise<void> =>
        store.write((view) => view.putAuthItem({ ...authItem, hash, ...more }));
      await put("a", { grantId: "grt_1", uid: "u" });
      await put("b", { userCode: "BCDF" });
      await put("c", { expiresAt: NOW });
      const consume = () => store.write((view) => view.consumeAuthItem("Code", "a", NOW));
      expect([await consume(), await consume()]).toEqual([true, false]);
      await put("a", { grantId: "grt_1", uid: "u", body: "2" });
      await store.read(async (view) => {
        expect(await view.authItem("Code", "a")).toMatchObject({ body: "2", consumedAt: NOW });
        expect(await view.authItem("Other", "a")).toBeUndefined();
        expect((await view.authItemBy("Code", "uid", "u"))?.hash).toBe("a");
        expect((await view.authItemBy("Code", "user_code", "BCDF"))?.hash).toBe("b");
        expect(await view.countAuthItems("Code", NOW - 1)).toBe(1);
      });
      await put("d", { expiresAt: NOW });
      await store.write((view) => view.keepAuthItem("Code", "d"));
      await store.write((view) => view.deleteAuthItemsOfGrant("grt_1"));
      await store.write((view) => view.pruneAuth(NOW + 1));
      const left = await Promise.all(
        ["a", "b", "c", "d"].map((hash) => store.read((view) => view.authItem("Code", hash))),
      );
      expect(left.map((item) => item?.hash)).toEqual([undefined, "b", undefined, "d"]);
      await put("e", { expiresAt: NOW + 5 });
      await put("f", { expiresAt: NOW + 3 });
      await store.write((view) => view.dropOldestAuthItem("Code"));
      expect(await store.read((view) => view.authItem("Code", "f"))).toBeUndefined();
      expect(await store.read((view) => view.authItem("Code", "e"))).toBeDefined();
      await store.write((view) => view.deleteAuthItem("Code", "b"));
      expect(await store.read((view) => view.authItem("Code", "b"))).toBeUndefined();
    });

    it("the owner has one name and one password, each the last one set", async () => {
      expect(await store.read((view) => view.owner(subject))).toBeUndefined();
      const owner = { subjectId: subject, name: "Nora", password: "hashed", changedAt: NOW };
      await store.write((view) => view.putOwner(owner));
      await store.write((view) => view.putOwner({ ...owner, password: "other", changedAt: NOW + 1 }));
      expect(await store.read((view) => view.owner(subject))).toEqual({
        ...owner,
        password: "other",
        changedAt: NOW + 1,
      });
    });
  });
}
