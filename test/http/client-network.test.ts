import { expect, test } from "vitest";
import { clientNetwork } from "../../src/http/client-network.ts";

test.each([
  ["192.0.2.77", "192.0.2.0/24"],
  ["::ffff:192.0.2.77", "192.0.2.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
  ["unix:", "unix:"],
])("the network of %s is %s", (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
