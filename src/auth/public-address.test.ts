// Tests which addresses count as public.
import { expect, it } from "vitest";
import { isPublicAddress } from "./public-address.ts";

it("SECURITY row 6: public addresses are public", () => {
  const addresses = [
    "1.1.1.1",
    "93.184.215.14",
    "172.15.255.255",
    "172.32.0.1",
    "100.63.0.1",
    "100.128.0.1",
    "223.1.1.1",
  ];
  const ipv6 = ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", "2a00:1450:4001:80b::200e", "2001:4860:4860::8888"];
  expect([...addresses, ...ipv6].filter((address) => !isPublicAddress(address))).toEqual([]);
});

it.each([
  ["loopback", ["127.0.0.1", "127.255.255.254", "::1"]],
  ["unspecified", ["0.0.0.0", "0.1.2.3", "::"]],
  ["RFC 1918", ["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255"]],
  ["link-local", ["169.254.0.1", "169.254.169.254", "fe80::1", "febf::1", "fe80::1%eth0"]],
  ["carrier-grade NAT", ["100.64.0.1", "100.127.255.255"]],
  ["unique local and site-local", ["fc00::1", "fd12:3456::1", "fec0::1"]],
  ["multicast and broadcast", ["224.0.0.1", "239.255.255.250", "255.255.255.255", "ff02::1"]],
  [
    "reserved, documentation, benchmarks",
    ["240.0.0.1", "192.0.0.8", "192.0.2.1", "198.51.100.1", "203.0.113.9", "198.18.0.1"],
  ],
  ["documentation in IPv6", ["2001:db8::1", "3fff::1"]],
  [
    "IPv4-mapped",
    ["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "0:0:0:0:0:ffff:c0a8:1"],
  ],
  ["IPv4-compatible and translated", ["::127.0.0.1", "::7f00:1", "::ffff:0:127.0.0.1"]],
  ["NAT64", ["64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1"]],
  ["6to4", ["2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:c0a8:101::1"]],
  ["Teredo and protocol ranges", ["2001::1", "2001:0:7f00:1::", "2001:20::1"]],
  ["discard, segment routing", ["100::1", "5f00::1"]],
  ["not addresses at all", ["", "localhost", "127.1", "0x7f.0.0.1", "0177.0.0.1", "2130706433", "1.1.1.1 ", "::1::"]],
])("SECURITY row 6: not public: %s", (_name, addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});
