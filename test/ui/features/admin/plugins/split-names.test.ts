import { expect, test } from "vitest";
import { splitNames } from "../../../../../src/ui/features/admin/plugins/packages/split-names.ts";

test.each([
  ["bs4, openai>=1,<2", ["bs4", "openai>=1,<2"]],
  ["httpx[http2,socks]>=0.2, !=0.3 ,yaml", ["httpx[http2,socks]>=0.2, !=0.3", "yaml"]],
  [" , ;\n", []],
  ["a\nb; c", ["a", "b", "c"]],
])("%j", (text, expected) => {
  expect(splitNames(text)).toEqual(expected);
});
