import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createScimWorld, errorUrn, newAddress, type ScimWorld } from "./scim-world.ts";

let world: ScimWorld;
beforeAll(async () => {
  world = await createScimWorld();
});
afterAll(() => world.close());

const get = async (id: string) => (await world.scim("GET", `/Users/${id}`)).body;

function expectTaken({ status, body }: { status: number; body: unknown }): void {
  expect(status).toBe(409);
  expect(body).toMatchObject({ schemas: [errorUrn], status: "409", scimType: "uniqueness" });
}

describe("who is taken", () => {
  test("a second POST is 409, whatever the case; also of somebody who is switched off, and of somebody's e-mail address", async () => {
    const address = newAddress();
    const person = await world.makeUser({ userName: address, emails: [{ value: `mail.${address}` }] });
    for (const userName of [address, address.toUpperCase(), `mail.${address}`, `MAIL.${address}`]) {
      expectTaken(await world.scim("POST", "/Users", { userName }));
      expectTaken(await world.scim("POST", "/Users", { userName: newAddress(), emails: [{ value: userName }] }));
    }
    await world.scim("DELETE", `/Users/${person.id}`);
    expectTaken(await world.scim("POST", "/Users", { userName: address }));
    expect((await get(person.id)).active).toBe(false);
  });

  test("people whom SCIM did not make are not taken over by their address", async () => {
    const local = await world.person({ email: newAddress() });
    expectTaken(await world.scim("POST", "/Users", { userName: local.email, externalId: "takeover" }));
    expect(await world.find("Users", 'externalId eq "takeover"')).toMatchObject({ totalResults: 0 });
  });

  test("externalId is one person's, compared with its case, on every write", async () => {
    const first = await world.makeUser({ externalId: "Ext-1" });
    const second = await world.makeUser({ externalId: "ext-1" });
    const third = await world.makeUser();
    expectTaken(await world.scim("POST", "/Users", { userName: newAddress(), externalId: "Ext-1" }));
    expectTaken(await world.scim("PUT", `/Users/${second.id}`, { userName: second.userName, externalId: "Ext-1" }));
    for (const op of ["add", "replace"]) {
      expectTaken(await world.patch(`/Users/${third.id}`, { op, path: "externalId", value: "Ext-1" }));
      expectTaken(await world.patch(`/Users/${third.id}`, { op, value: { externalId: "Ext-1", displayName: "No" } }));
    }
    expect(await get(third.id)).toEqual(third);
    expect(await get(second.id)).toEqual(second);
    expect(await get(first.id)).toEqual(first);
  });

  test("the subject under which somebody signs in is theirs too", async () => {
    const local = await world.person();
    await world.client.execute({
      sql: `UPDATE users SET oauth = '{"oidc":{"sub":"sub-1"},"google":{"sub":"sub-2"}}' WHERE id = ?`,
      args: [local.id],
    });
    expectTaken(await world.scim("POST", "/Users", { userName: newAddress(), externalId: "sub-1" }));
    expect((await world.scim("POST", "/Users", { userName: newAddress(), externalId: "sub-2" })).status).toBe(201);
    expect((await world.scim("PUT", `/Users/${local.id}`, { userName: local.email, externalId: "sub-1" })).status).toBe(
      200,
    );
  });

  test("userName and e-mail are looked at on PUT and PATCH, with nothing of the change applied", async () => {
    const first = await world.makeUser({ emails: [{ value: newAddress(), type: "work" }] });
    const second = await world.makeUser();
    const taken = [
      first.userName,
      String(first.userName).toUpperCase(),
      (first.emails as { value: string }[])[0]!.value,
    ];
    for (const address of taken) {
      expectTaken(await world.scim("PUT", `/Users/${second.id}`, { userName: address, displayName: "New" }));
      expectTaken(
        await world.scim("PUT", `/Users/${second.id}`, { userName: second.userName, emails: [{ value: address }] }),
      );
      expectTaken(
        await world.patch(
          `/Users/${second.id}`,
          { op: "replace", path: "displayName", value: "New" },
          { op: "replace", path: "userName", value: address },
        ),
      );
      expectTaken(
        await world.patch(`/Users/${second.id}`, {
          op: "replace",
          path: 'emails[type eq "work"].value',
          value: address,
        }),
      );
    }
    expect(await get(second.id)).toEqual(second);
  });

  test("an address that two accounts have come to share holds up no other change of theirs", async () => {
    const person = await world.makeUser({ userName: newAddress(), emails: [{ value: newAddress() }] });
    await world.person({ email: String(person.userName) });
    expect((await world.patch(`/Users/${person.id}`, { op: "replace", path: "active", value: false })).status).toBe(
      200,
    );
    expect(
      (await world.patch(`/Users/${person.id}`, { op: "replace", path: "displayName", value: "New" })).status,
    ).toBe(200);
  });

  test("of parallel creations one wins, and the others hear 409", async () => {
    for (const attributes of [
      (n: number) => ({ userName: n % 2 ? "race@harbour.example" : "RACE@harbour.example" }),
      () => ({ userName: newAddress(), externalId: "race" }),
      () => ({ userName: newAddress(), emails: [{ value: "race2@harbour.example", primary: true }] }),
    ]) {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) => world.scim("POST", "/Users", attributes(n))),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 201)) expectTaken(answer);
    }
  });

  test("of parallel changes to the same externalId one wins too", async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => world.makeUser()));
    const answers = await Promise.all(
      people.map(({ id, userName }, n) =>
        n % 2
          ? world.patch(`/Users/${id}`, { op: "add", path: "externalId", value: "contested" })
          : world.scim("PUT", `/Users/${id}`, { userName, externalId: "contested" }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  test("twenty PATCHes of one person at once are all done", async () => {
    const { id } = await world.makeUser();
    const addresses = Array.from({ length: 20 }, () => newAddress());
    const answers = await Promise.all(
      addresses.map((value) => world.patch(`/Users/${id}`, { op: "add", path: "emails", value: [{ value }] })),
    );
    expect(answers.map(({ status }) => status)).toEqual(addresses.map(() => 200));
    const { emails } = (await get(id)) as unknown as { emails: { value: string }[] };
    expect(emails.map(({ value }) => value)).toEqual(expect.arrayContaining(addresses));
  });

  test("parallel PATCHes of one person lose nothing of each other", async () => {
    const { id } = await world.makeUser();
    const changes = [
      { path: "displayName", value: "D" },
      { path: "name.givenName", value: "G" },
      { path: "name.familyName", value: "F" },
      { path: "externalId", value: "parallel" },
      { path: "active", value: false },
    ];
    const answers = await Promise.all(
      changes.map((change) => world.patch(`/Users/${id}`, { op: "replace", ...change })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await get(id)).toMatchObject({
      displayName: "D",
      name: { givenName: "G", familyName: "F" },
      externalId: "parallel",
      active: false,
    });
  });
});
