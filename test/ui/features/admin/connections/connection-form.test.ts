import { expect, test } from "vitest";
import { connectionPolicy, connectionQuirks } from "../../../../../src/models/calling/schema.ts";
import type { ConnectionView } from "../../../../../src/models/connections/schema.ts";
import {
  changedFields,
  formOf,
  toChange,
  toNewConnection,
  toTrial,
} from "../../../../../src/ui/features/admin/connections/connection-form.ts";

const stored: ConnectionView = {
  id: "c1",
  kind: "openai",
  name: "Harbour",
  base_url: "https://models.harbour.example/v1",
  has_key: true,
  headers: { "X-Tenant": "********" },
  organization_id: null,
  prefix_id: "",
  model_ids: ["small"],
  tags: ["eu", "fast"],
  enabled: false,
  locked: false,
  quirks: connectionQuirks.parse({ rename: { max_tokens: "max_completion_tokens" }, drop: ["user"] }),
  policy: connectionPolicy.parse({ max_concurrent: 4 }),
  status: { state: "unknown", checked_at: null, model_count: 0, latency_ms: 0 },
  health: { breaker: "closed", open_until: null, in_flight: 0, waiting: 0, calls: 0, failed: 0, failures: [] },
  created_at: 1,
  updated_at: 1,
};

test("an untouched form changes nothing", () => {
  expect(changedFields(formOf(stored), stored)).toEqual([]);
  expect(toChange(formOf(stored), stored)).toEqual({});
});

test("only what was changed is sent; an empty key stays the stored one", () => {
  const form = { ...formOf(stored), name: " Harbour two ", tags: "eu, , eu, slow" };
  expect(toChange(form, stored)).toEqual({ name: "Harbour two", tags: ["eu", "slow"] });
});

test("a connection is given to one organization, and back to everyone", () => {
  expect(changedFields({ ...formOf(stored), organization: "o1" }, stored)).toEqual(["organization"]);
  expect(toChange({ ...formOf(stored), organization: "o1" }, stored)).toEqual({ organization_id: "o1" });
  const given = { ...stored, organization_id: "o1" };
  expect(formOf(given).organization).toBe("o1");
  expect(toChange({ ...formOf(given), organization: "" }, given)).toEqual({ organization_id: null });
});

test("a removed key is sent as an empty one, a new key as itself", () => {
  expect(toChange({ ...formOf(stored), keyRemoved: true }, stored)).toEqual({ key: "" });
  expect(toChange({ ...formOf(stored), key: "sk-2" }, stored)).toEqual({ key: "sk-2" });
});

test("a masked header value goes back as it came, beside a new header", () => {
  const form = formOf(stored);
  form.headers = [...form.headers, { name: " X-New ", value: "1" }, { name: "", value: "lost" }];
  expect(toChange(form, stored)).toEqual({ headers: { "X-Tenant": "********", "X-New": "1" } });
});

test("a test of a stored connection leaves its key where it is", () => {
  expect(toTrial(formOf(stored), stored)).toEqual({
    id: "c1",
    kind: "openai",
    base_url: stored.base_url,
    headers: { "X-Tenant": "********" },
  });
  expect(toTrial({ ...formOf(stored), key: "sk-2" }, stored)).toMatchObject({ id: "c1", key: "sk-2" });
  expect(toTrial(formOf(undefined), undefined)).toMatchObject({ key: "" });
});

test("a new connection is on and has everything", () => {
  expect(toNewConnection({ ...formOf(undefined), address: " http://127.0.0.1:11434 ", kind: "local" })).toEqual({
    kind: "local",
    name: "",
    base_url: "http://127.0.0.1:11434",
    key: "",
    headers: {},
    organization_id: null,
    prefix_id: "",
    model_ids: [],
    tags: [],
    enabled: true,
    quirks: {},
    policy: {},
  });
});
