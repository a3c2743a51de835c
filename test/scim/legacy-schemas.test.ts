import { afterAll, beforeAll, expect, test } from "vitest";
import { createScimWorld, newAddress, type ScimWorld, userUrn } from "./scim-world.ts";

let world: ScimWorld;
beforeAll(async () => {
  world = await createScimWorld();
});
afterAll(() => world.close());

test.each([
  "urn:scim:schemas:core:1.0",
  "urn:scim:schemas:core:2.0",
  "urn:scim:schemas:core:2.0:User",
  "urn:ietf:params:scim:schemas:core:2.0",
  userUrn,
])("an e-mail is added under %s to the one that follows from the account", async (urn) => {
  const added = (value: string) => [{ value, type: "home" }];
  for (const valueOf of [
    (value: string) => ({ [`${urn}:emails`]: added(value) }),
    (value: string) => ({ [urn]: { emails: added(value) } }),
  ]) {
    const person = (await world.scim("POST", "/Users", { userName: newAddress() })).body;
    const value = newAddress();
    const { status, body } = await world.patch(`/Users/${person.id}`, { op: "add", value: valueOf(value) });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      emails: [
        { value: person.userName, type: "work", primary: true },
        { value, type: "home" },
      ],
    });
  }
});
