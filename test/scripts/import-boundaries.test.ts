import { describe, expect, test } from "vitest";
import { findBoundaryBreach } from "../../scripts/lint/import-boundaries.ts";

describe("import boundaries", () => {
  test.each([
    ["src/ui/features/chat/turn.ts", "../../../chat/completions/schema.ts"],
    ["src/ui/lib/live/live.svelte.ts", "../../../shared/live-protocol.ts"],
    ["src/ui/app/App.svelte", "../lib/api.ts"],
    ["src/ui/app/main.ts", "svelte"],
    ["src/http/routes.ts", "../errors.ts"],
    ["src/db/client.ts", "drizzle-orm"],
    ["src/context.ts", "./lib/log.ts"],
    ["src/context.ts", "./compose/settings.ts"],
    ["src/app.ts", "./chat/completions/routes.ts"],
    ["src/chat/completions/complete.ts", "../../models/catalog/list-models.ts"],
    ["src/chat/conversations/schema.ts", "../messages-api/schema.ts"],
    ["src/chat/conversations/schema.ts", "../../shared/mentions.ts"],
    ["src/shared/mentions.ts", "zod"],
    ["src/documents/files/tables.ts", "../../stored-chats/tables.ts"],
    ["src/chat/conversations/schema.ts", "zod"],
    ["workers/main.ts", "../src/app.ts"],
    ["workers/main.ts", "cloudflare:workers"],
    ["test/runtime/gate.test.ts", "cloudflare:test"],
  ])("%s may import %s", (file, specifier) => {
    expect(findBoundaryBreach(file, specifier)).toBeUndefined();
  });

  test.each([
    ["src/ui/features/chat/turn.ts", "../../../chat/completions/complete.ts", "the UI sees only schema.ts"],
    ["src/ui/app/main.ts", "../../lib/id.ts", "the UI sees only schema.ts"],
    ["src/http/routes.ts", "../people/users/users.ts", "the floor may not import src/people/users/users.ts"],
    ["src/lib/id.ts", "../app.ts", "the floor may not import src/app.ts"],
    ["src/chat/run-turn.ts", "../ui/lib/api.ts", "only the UI may import the UI"],
    ["src/chat/run-turn.ts", "../../workers/env.ts", "src/ may not import workers/env.ts"],
    ["src/events/session.ts", "cloudflare:workers", "may be imported in workers/ only"],
    ["scripts/launch.ts", "cloudflare:workers", "may be imported in workers/ only"],
    ["src/chat/conversations/schema.ts", "../../lib/id.ts", "a schema.ts imports zod"],
    ["src/chat/conversations/schema.ts", "drizzle-orm", "a schema.ts imports zod"],
    ["src/people/users/routes.ts", "drizzle-orm", "no database in routes.ts"],
    ["src/shared/mentions.ts", "../lib/id.ts", "src/shared imports zod"],
    ["src/people/users/users.ts", "../../chat/run-turn.ts", "people stands before chat"],
    ["src/documents/files/files.ts", "../../chat/conversations/save-chat.ts", "documents stands before chat"],
    ["src/ships/ships.ts", "../people/users/users.ts", "ships has no place"],
  ])("%s may not import %s", (file, specifier, reason) => {
    expect(findBoundaryBreach(file, specifier)).toContain(reason);
  });

  test("types may come from anywhere", () => {
    expect(findBoundaryBreach("src/people/users/users.ts", "../../chat/run-turn.ts", true)).toBeUndefined();
  });
});
