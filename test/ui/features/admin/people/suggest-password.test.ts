import { expect, test } from "vitest";
import { suggestPassword } from "../../../../../src/ui/features/admin/people/suggest-password.ts";

test("a suggested password can be read out and is another one each time", () => {
  const many = Array.from({ length: 200 }, suggestPassword);
  expect(new Set(many).size).toBe(many.length);
  for (const password of many) expect(password).toMatch(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/);
});
