// Determines whether an IP address is on the public internet. All other addresses are refused, however they are written
// (SECURITY row 6).
import { BlockList, isIP } from "node:net";

/** IANA's special-purpose registry, plus relay and multicast ranges. */
const SPECIAL_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/**
 * Only 2000::/3 is assigned to the public internet. Loopback, unique local, link-local and multicast addresses are
 * outside it, and so are the mapped, compatible and NAT64 forms of IPv4 addresses.
 */
const GLOBAL_IPV6 = ["2000::/3"];

/** Ranges inside 2000::/3 that are not public: Teredo and other protocol ranges, 6to4, documentation, AS112. */
const SPECIAL_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

const special = blockList(SPECIAL_IPV4, SPECIAL_IPV6);
const global = blockList([], GLOBAL_IPV6);

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, "ipv4");
  // An address with a zone ("%eth0") is link-local.
  if (family !== 6 || address.includes("%")) return false;
  return global.check(address, "ipv6") && !special.check(address, "ipv6");
}

function blockList(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList();
  const add = (range: string, family: "ipv4" | "ipv6"): void => {
    const [network, prefix] = range.split("/");
    list.addSubnet(network!, Number(prefix), family);
  };
  for (const range of ipv4) add(range, "ipv4");
  for (const range of ipv6) add(range, "ipv6");
  return list;
}
