import { describe, expect, test } from "vitest";
import {
  connectionPolicy,
  connectionQuirks,
  quirksChange,
  usualPolicy as servicePolicy,
  usualQuirks as serviceQuirks,
} from "../../../../../src/models/calling/schema.ts";
import { normalizeBaseUrl } from "../../../../../src/models/connections/base-url.ts";
import {
  changedPolicy,
  changedQuirks,
  findProblems,
  policyForm,
  quirksForm,
  readPolicy,
  readQuirks,
} from "../../../../../src/ui/features/admin/connections/options-form.ts";
import { presets } from "../../../../../src/ui/features/admin/connections/presets.ts";
import { usualPolicy, usualQuirks } from "../../../../../src/ui/features/admin/connections/usual-options.ts";

const quirks = connectionQuirks.parse({
  rename: { max_tokens: "max_completion_tokens" },
  drop: ["user", "logit_bias"],
  drop_from_messages: ["name"],
  force: { temperature: 1 },
  defaults: { extra: { deep: [true] } },
  unknown_fields: "drop",
  system_role: "developer",
  stream_options: false,
  images: "data_url",
  reasoning_tags: [["[A]", "[/A]"]],
});
const policy = connectionPolicy.parse({ attempts: 3, fail_over: false, idle_timeout: 9, max_concurrent: 2 });

test("the usual options are the service's", () => {
  expect(usualQuirks).toEqual(serviceQuirks);
  expect(usualPolicy).toEqual(servicePolicy);
});

test("what is shown and not touched stays as it is", () => {
  for (const each of [quirks, usualQuirks]) expect(readQuirks(quirksForm(each))).toEqual(each);
  for (const each of [policy, usualPolicy]) expect(readPolicy(policyForm(each))).toEqual(each);
});

test("only fields that differ are sent", () => {
  expect(changedQuirks(usualQuirks)).toEqual({});
  expect(changedQuirks({ ...quirks, drop: [] }, quirks)).toEqual({ drop: [] });
  expect(changedPolicy({ ...policy, max_concurrent: null }, policy)).toEqual({ max_concurrent: null });
  expect(changedPolicy(policy)).toEqual({ attempts: 3, fail_over: false, idle_timeout: 9, max_concurrent: 2 });
});

describe("what is entered", () => {
  test("is taken without what is empty", () => {
    const form = quirksForm();
    form.rename = [
      { name: " max_tokens ", value: " n_predict" },
      { name: "", value: "" },
    ];
    form.drop = " user,, seed user ";
    form.force = "  ";
    expect(changedQuirks(readQuirks(form))).toEqual({ rename: { max_tokens: "n_predict" }, drop: ["user", "seed"] });
    expect(readPolicy({ ...policyForm(policy), attempts: "", max_concurrent: " " })).toMatchObject({
      attempts: usualPolicy.attempts,
      max_concurrent: null,
    });
  });

  test("is named where it cannot be read", () => {
    expect(findProblems(quirksForm(quirks), policyForm(policy))).toEqual([]);
    expect(
      findProblems(
        { ...quirksForm(), force: "{", defaults: "[]" },
        { ...policyForm(), attempts: "two", max_wait: "-1" },
      ),
    ).toEqual(["force", "defaults", "attempts", "max_wait"]);
  });
});

describe("presets", () => {
  test.each(presets)("$name fit the service", ({ id, kind, address, quirks: differences }) => {
    expect(presets.filter((other) => other.id === id)).toHaveLength(1);
    expect(normalizeBaseUrl(kind, address)).toBe(address);
    expect(quirksChange.parse(differences)).toEqual(differences);
  });
});
