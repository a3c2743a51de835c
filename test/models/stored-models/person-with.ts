import { newId } from "../../../src/lib/id.ts";
import { groupMembers, groups } from "../../../src/people/groups/tables.ts";
import type { PartialPermissions } from "../../../src/people/permissions.ts";
import { defaultOrganizationId, type Person, type World } from "../../world.ts";

/** A person whom a group gives these permissions. */
export async function personWith(world: World, permissions: PartialPermissions): Promise<Person> {
  const person = await world.person();
  const groupId = newId();
  await world.db.batch([
    world.db.insert(groups).values({
      id: groupId,
      organizationId: defaultOrganizationId,
      name: "Group",
      permissions,
      createdAt: 1,
      updatedAt: 1,
    }),
    world.db.insert(groupMembers).values({ groupId, userId: person.id, createdAt: 1 }),
  ]);
  return person;
}
