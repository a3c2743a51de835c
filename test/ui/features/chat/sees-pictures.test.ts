import { expect, test } from "vitest";
import { isPicture, seesPictures } from "../../../../src/ui/features/chat/sees-pictures.ts";

const vision = (said: boolean) => ({ info: { meta: { capabilities: { vision: said } } } });

test.each([
  [{}, undefined],
  [vision(true), true],
  [vision(false), false],
  [{ openai: { architecture: { input_modalities: ["text", "image"] } } }, true],
  [{ openai: { architecture: { input_modalities: ["text"] } } }, false],
  [{ openai: { capabilities: { vision: false } } }, false],
  [{ ollama: { capabilities: ["completion", "vision"] } }, true],
  [{ ollama: { capabilities: "vision" } }, undefined],
  // What an administrator says counts.
  [{ ...vision(false), openai: { capabilities: { vision: true } } }, false],
])("%j sees pictures: %j", (model, sees) => {
  expect(seesPictures({ id: "m", ...model })).toBe(sees);
});

test.each([
  ["image/png", true],
  ["image/jpeg", true],
  ["image/svg+xml", false],
  ["image/tiff", false],
  ["application/pdf", false],
  ["", false],
])("%j is a picture: %j", (type, is) => {
  expect(isPicture(type)).toBe(is);
});

test.each([
  [{}, vision(false), false],
  [vision(true), vision(false), true],
  [{}, { ollama: { capabilities: ["vision"] } }, true],
])("%j that stands on %j sees pictures: %j", (model, base, sees) => {
  expect(seesPictures({ id: "m", ...model }, { id: "b", ...base })).toBe(sees);
});
