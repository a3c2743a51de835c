import fc from "fast-check";
import { expect, it } from "vitest";
import {
  OnlineMembers,
  type DirectoryChange,
  type DirectoryCursor,
  type OnlineDirectory,
} from "../../../src/channels/live/online-members.ts";

/** Members and the directory as they are; both can be out of reach. */
class World {
  members = new Set<string>();
  version = 0;
  isAway = false;
  loads = 0;
  asked = 0;
  #open = new Set<string>();
  #changes: DirectoryChange[] = [];
  #at = 0;
  #life = 0;

  get audience(): string[] {
    return [...this.members].filter((id) => this.#open.has(id)).toSorted();
  }

  toggleMember(id: string): void {
    if (!this.members.delete(id)) this.members.add(id);
    this.version += 1;
  }

  toggleOpen(id: string): void {
    const isOpen = !this.#open.delete(id);
    if (isOpen) this.#open.add(id);
    this.#at += 1;
    // A short memory, so that it is forgotten what somebody did not ask for in time.
    this.#changes = [...this.#changes, { userId: id, isOpen }].slice(-3);
  }

  restart(): void {
    this.#life += 1;
    this.#changes = [];
    this.#at = 0;
  }

  async load(): Promise<{ version: number; ids: string[] }> {
    this.#reach();
    this.loads += 1;
    return { version: this.version, ids: [...this.members] };
  }

  directory(): OnlineDirectory {
    const cursor = () => ({ life: `${this.#life}`, at: this.#at });
    return {
      open: async (ids: readonly string[]) => {
        this.#reach();
        this.asked += ids.length;
        return { open: ids.filter((id) => this.#open.has(id)), cursor: cursor() };
      },
      since: async ({ life, at }: DirectoryCursor) => {
        this.#reach();
        const missed = this.#at - at;
        if (life !== `${this.#life}` || missed > this.#changes.length) return undefined;
        return { changes: missed === 0 ? [] : this.#changes.slice(-missed), cursor: cursor() };
      },
    };
  }

  #reach(): void {
    if (this.isAway) throw new Error("away");
  }
}

const person = fc.constantFrom("ada", "grace", "eve", "alan");
const step = fc.oneof(
  fc.record({ kind: fc.constant("member" as const), person }),
  fc.record({ kind: fc.constant("open" as const), person }),
  fc.record({ kind: fc.constantFrom("restart" as const, "look" as const, "fail" as const) }),
);

it("is always the members who have something open, whoever comes, goes, joins, leaves, and whatever breaks", async () => {
  const check = async (steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) => {
    const world = new World();
    const audience = new OnlineMembers({ load: () => world.load(), directory: () => world.directory() });
    const looks: { found: string[]; wanted: string[] }[] = [];
    for (const each of [...steps, { kind: "look" as const }]) {
      if (each.kind === "member") world.toggleMember(each.person);
      else if (each.kind === "open") world.toggleOpen(each.person);
      else if (each.kind === "restart") world.restart();
      else if (each.kind === "fail") {
        world.isAway = true;
        await audience.list(world.version).catch(() => undefined);
        world.isAway = false;
      } else looks.push({ found: [...(await audience.list(world.version))].toSorted(), wanted: world.audience });
    }
    for (const { found, wanted } of looks) expect(found).toEqual(wanted);
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 30 }), check), { numRuns: 500 });
});

it("asks for nothing that it knows", async () => {
  const world = new World();
  const audience = new OnlineMembers({ load: () => world.load(), directory: () => world.directory() });
  for (const id of ["ada", "grace"]) world.toggleMember(id);
  for (let time = 0; time < 5; time++) await audience.list(2);
  // Word of what happened before comes late.
  await audience.list(1);
  expect([world.loads, world.asked]).toEqual([1, 2]);
  world.toggleMember("eve");
  await audience.list(3);
  expect([world.loads, world.asked]).toEqual([2, 3]);
});
