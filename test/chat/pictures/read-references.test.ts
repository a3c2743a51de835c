import { describe, expect, it } from "vitest";
import { fileIdIn, findPictures, pictureIdOf } from "../../../src/chat/pictures/read-references.ts";
import { seesPictures } from "../../../src/shared/vision.ts";

const id = "0192f0c3-a1b2-7c3d-8e4f-001122334455";
const origin = "https://parley.example";

describe("the file that an address means", () => {
  it.each([
    [id, id],
    [`/api/v1/files/${id}`, id],
    [`/api/v1/files/${id}/content?attachment=true`, id],
    [`${origin}/api/v1/files/${id}/content`, id],
    [`https://other.example/api/v1/files/${id}/content`, undefined],
    [`${origin}.evil.example/api/v1/files/${id}`, undefined],
    [`/api/v1/files/${id}/data/content`, undefined],
    ["file_011CNha8iCJcU1wXNR6q4V8w", undefined],
    ["data:image/png;base64,AA==", undefined],
    ["", undefined],
  ])("%s", (url, found) => {
    expect(fileIdIn(url, origin)).toBe(found);
  });
});

it("finds pictures in whatever is said to be messages", () => {
  const messages = [
    null,
    "x",
    { role: "user", content: "text" },
    {
      role: "user",
      content: [null, { type: "text", text: "a" }, { type: "image_url" }, { type: "image_url", image_url: 5 }],
    },
    { role: "tool", content: [{ type: "image_url", image_url: id }] },
    { role: "user", content: [{ type: "image_url", image_url: { url: "https://a.example/b.png" } }] },
  ];
  expect(findPictures(messages, origin)).toEqual([
    { message: 4, at: 0, url: id, fileId: id },
    { message: 5, at: 0, url: "https://a.example/b.png", fileId: undefined },
  ]);
});

describe("attached files that may be pictures", () => {
  it.each([
    [{ type: "file", id }, id],
    [{ type: "file", id, content_type: "image/png" }, id],
    [{ type: "file", id, content_type: "image/svg+xml" }, undefined],
    [{ type: "file", id, name: "pier.JPG" }, id],
    [{ type: "file", id, name: "handbook.pdf" }, undefined],
    [{ type: "file", id, name: "handbook.pdf", content_type: "image/png" }, id],
    [{ type: "file", file: { id, meta: { content_type: "image/webp" } } }, id],
    [{ type: "file", file: { id, meta: { content_type: "text/plain" } } }, undefined],
    [{ type: "file", id: "x' OR 1" }, undefined],
    [{ type: "collection", id }, undefined],
  ])("%j", (entry, found) => {
    expect(pictureIdOf(entry)).toBe(found);
  });
});

describe("what a provider lists of a model", () => {
  it.each([
    [{ architecture: { input_modalities: ["text", "image"] } }, true],
    [{ architecture: { input_modalities: ["text"] } }, false],
    [{ capabilities: ["completion", "vision"] }, true],
    [{ capabilities: ["completion"] }, false],
    [{ capabilities: { vision: true } }, true],
    [{ capabilities: { vision: "yes" } }, undefined],
    [{ architecture: null, capabilities: 5 }, undefined],
    [undefined, undefined],
    ["x", undefined],
  ])("%j", (entry, vision) => {
    expect(seesPictures([], [entry])).toBe(vision);
  });
});
