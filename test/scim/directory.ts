import { createScimWorld, type List, type Resource, type ScimWorld } from "./scim-world.ts";

/** A world with some of every kind of people in it: upper and lower case, with ids and without, on and off, made by SCIM and not. */
export interface Directory extends ScimWorld {
  everyone: Resource[];
  groups: Resource[];
  list(query: string, kind?: "Users" | "Groups"): Promise<List>;
}

export const names = [
  "Ada Lovelace",
  "grace hopper",
  "Plato",
  "Ünal Öz",
  "ada Zeta",
  "Émile  du Châtelet",
  'O\'Brien "Q" 100%_\\',
];

export const idsOf = (page: { Resources: Resource[] }) => page.Resources.map(({ id }) => id);

export async function createDirectory(): Promise<Directory> {
  const world = await createScimWorld();
  for (const [n, displayName] of names.entries()) {
    await world.makeUser({
      userName: `${n % 2 ? "User" : "user"}${n}@harbour.example`,
      displayName,
      ...(n % 3 === 0 && { externalId: `Ext-${n}` }),
      ...(n % 2 === 0 && { name: { givenName: `Given${n}`, middleName: "M" } }),
      ...(n % 3 === 1 && {
        emails: [
          { value: `a${n}@x.example`, type: "home" },
          { value: `B${n}@y.example`, type: "work", primary: true },
        ],
      }),
      active: n % 4 !== 0,
    });
    world.advance(100);
  }
  const local = await world.person({ name: "Local Person" });
  await world.client.execute({
    sql: `UPDATE users SET oauth = '{"oidc":{"sub":"Sub-1"}}' WHERE id = ?`,
    args: [local.id],
  });
  const everyone = (await world.scim<List>("GET", "/Users")).body.Resources;
  const groups: Resource[] = [];
  for (const n of [0, 1, 2])
    groups.push(
      await world.makeGroup(
        `Group ${n}`,
        everyone.slice(0, n).map(({ id }) => id),
        n ? { externalId: `g${n}` } : {},
      ),
    );
  const list: Directory["list"] = async (query, kind = "Users") =>
    (await world.scim<List>("GET", `/${kind}?${query}`)).body;
  return { ...world, groups, everyone: (await list("")).Resources, list };
}
