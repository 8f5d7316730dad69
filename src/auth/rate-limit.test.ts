// Tests which addresses count as the same caller.
import { describe, expect, it } from "vitest";
import { addressKey } from "./rate-limit.ts";

describe("SECURITY row 8: the key of an address", () => {
  it("is the whole address in IPv4, even if it is mapped, and the /64 prefix in IPv6", () => {
    expect(addressKey("192.0.2.1")).toBe("192.0.2.1");
    expect(addressKey("::ffff:192.0.2.1")).toBe("192.0.2.1");
    const same = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:0DB8:0001:0002:0:0:0:3", "2001:db8:1:2:3:4:5:6"];
    expect(new Set(same.map(addressKey))).toEqual(new Set(["2001:db8:1:2::/64"]));
    expect(addressKey("2001:db8:1:3::1")).toBe("2001:db8:1:3::/64");
    expect(addressKey("::1")).toBe("0:0:0:0::/64");
    expect(addressKey("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
    expect(addressKey("1::2:3:4:5:6:7")).toBe("1:0:2:3::/64");
  });
});
