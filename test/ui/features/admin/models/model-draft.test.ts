import { describe, expect, test } from "vitest";
import { changedParts, draftOf, toForm } from "../../../../../src/ui/features/admin/models/model-draft.ts";
import { idFor, type ModelForm } from "../../../../../src/ui/features/admin/models/model-form.ts";

const stored: ModelForm = {
  id: "harbour-desk",
  base_model_id: "llama",
  name: "Harbour desk",
  meta: { description: "Berths", tags: [{ name: "service" }, "plain"], capabilities: { vision: true } },
  params: { system: "Be brief.", temperature: 0.3, seed: 7, stop: ["END"] },
  access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
  is_active: false,
};

describe("the draft of a model", () => {
  test("untouched changes nothing and goes back with everything the page does not know", () => {
    const draft = draftOf(stored);
    expect(changedParts(draft, draftOf(stored))).toEqual([]);
    const { form, errors } = toForm(draft, stored, true);
    expect(errors).toEqual({});
    expect(form.params).toEqual(stored.params);
    expect(form.meta).toMatchObject({
      description: "Berths",
      tags: [{ name: "service" }, { name: "plain" }],
      capabilities: { vision: true },
      hidden: false,
    });
    expect(form).toMatchObject({
      id: "harbour-desk",
      base_model_id: "llama",
      is_active: false,
      access_grants: stored.access_grants,
    });
  });

  test("binds plugins by the keys that clients of the peer use, and leaves keys away that say nothing", () => {
    const draft = draftOf({ ...stored, meta: { toolIds: ["zones", 7], filterIds: "no list" } });
    expect(draft.plugins).toEqual({ toolIds: ["zones"], filterIds: [], defaultFilterIds: [], actionIds: [] });
    const next = { ...draft, plugins: { ...draft.plugins, toolIds: [], actionIds: ["rewrite"] } };
    expect(changedParts(next, draft)).toEqual(["plugins"]);
    const { form } = toForm(next, { ...stored, meta: { toolIds: ["zones"] } }, true);
    expect(form.meta).toMatchObject({ toolIds: [], actionIds: ["rewrite"] });
    expect(form.meta).not.toHaveProperty("filterIds");
  });

  test("says how much the model takes and when conversations are shortened, and only where it is entered", () => {
    const draft = draftOf(stored);
    expect(toForm(draft, stored, true).form.meta).not.toHaveProperty("compaction");
    expect(toForm(draft, stored, true).form.meta).not.toHaveProperty("context_length");
    const next = { ...draft, contextLength: "8192", compaction: "no" as const, compactionShare: "60" };
    expect(changedParts(next, draft)).toEqual(["context"]);
    const { form, errors } = toForm(next, stored, true);
    expect(errors).toEqual({});
    expect(form.meta).toMatchObject({ context_length: 8192, compaction: { enabled: false, share: 60 } });
    expect(draftOf(form)).toMatchObject({ contextLength: "8192", compaction: "no", compactionShare: "60" });
    const back = toForm({ ...draftOf(form), contextLength: "", compaction: "", compactionShare: "" }, form, true).form;
    expect(back.meta).toMatchObject({ context_length: null, compaction: {} });
  });

  test("takes numbers as typed and leaves out what is empty", () => {
    const { form, errors } = toForm(
      { ...draftOf(stored), temperature: "0,7", topP: "", maxTokens: "512", system: " ", extra: "" },
      stored,
      true,
    );
    expect(errors).toEqual({});
    expect(form.params).toEqual({ temperature: 0.7, max_tokens: 512 });
  });

  test.each([
    [{ name: " " }, "name"],
    [{ base: "" }, "base"],
    [{ temperature: "warm" }, "temperature"],
    [{ topP: "x" }, "topP"],
    [{ maxTokens: "many" }, "maxTokens"],
    [{ contextLength: "0" }, "contextLength"],
    [{ compactionShare: "96" }, "compactionShare"],
    [{ extra: "[1]" }, "extra"],
    [{ extra: "{" }, "extra"],
  ] as const)("with %j marks the %s", (change, field) => {
    expect(Object.keys(toForm({ ...draftOf(stored), ...change }, stored, true).errors)).toEqual([field]);
  });

  test("gives a new model an id from its name, unless one was typed", () => {
    const empty: ModelForm = { ...stored, id: "" };
    expect(toForm(draftOf(empty), empty, true).form.id).toBe("harbour-desk");
    expect(toForm({ ...draftOf(empty), id: "desk.1" }, empty, true).form.id).toBe("desk.1");
    expect(toForm({ ...draftOf(empty), id: "two words" }, empty, true).errors.id).toBeDefined();
  });

  test("of a provider's model needs no base and keeps none", () => {
    const provided: ModelForm = { ...stored, base_model_id: null };
    const { form, errors } = toForm(draftOf(provided), provided, false);
    expect(errors).toEqual({});
    expect(form.base_model_id).toBeNull();
  });
});

test.each([
  ["Harbour Desk", "harbour-desk"],
  ["  Café, 2.0! ", "cafe-2.0"],
  ["港口", "港口"],
  ["!!!", ""],
])("the id for %j is %j", (name, id) => {
  expect(idFor(name)).toBe(id);
});

describe("whether a model sees pictures", () => {
  test.each([
    [{}, "", "yes", { vision: true }],
    [{ capabilities: { vision: true, usage: true } }, "yes", "no", { vision: false, usage: true }],
    [{ capabilities: { vision: false, usage: true } }, "no", "", { usage: true }],
    [{ capabilities: "none" }, "", "", {}],
  ] as const)("%j is %j, and becomes %j", (meta, before, after, capabilities) => {
    const form = { ...stored, meta };
    expect(draftOf(form).vision).toBe(before);
    expect(toForm({ ...draftOf(form), vision: after }, form, true).form.meta["capabilities"]).toEqual(capabilities);
  });

  test("is left out where nobody has said anything", () => {
    const form = { ...stored, meta: {} };
    expect("capabilities" in toForm(draftOf(form), form, true).form.meta).toBe(false);
  });
});
