import { expect, test } from "vitest";
import { followPreset } from "../../../../../src/ui/features/admin/connections/follow-preset.ts";

test("the name is that of the provider that was chosen last", () => {
  expect(followPreset("", undefined, "OpenAI")).toBe("OpenAI");
  expect(followPreset("OpenAI", "OpenAI", "Mistral")).toBe("Mistral");
  expect(followPreset("Mistral", "Mistral", undefined)).toBe("");
});

test("a name that the person has typed stays", () => {
  expect(followPreset("Harbour", undefined, "OpenAI")).toBe("Harbour");
  expect(followPreset("Harbour", "OpenAI", "Mistral")).toBe("Harbour");
  expect(followPreset("OpenAI", undefined, "Mistral")).toBe("OpenAI");
  expect(followPreset("  ", "OpenAI", "Mistral")).toBe("Mistral");
});
