import { beforeAll, describe, expect, test } from "vitest";
import {
  createContext,
  createServices,
  contextWith,
  type Services,
  servicesWith,
  servicesWithin,
} from "../src/context.ts";
import type { Span } from "../src/lib/traces/span.ts";
import { resolveActor } from "../src/people/auth/resolve-actor.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

/** Every port, those too that only some installations have. */
function everything(): Services {
  const span = {} as Span;
  return servicesWith(world.services, {
    edgeModels: {} as NonNullable<Services["edgeModels"]>,
    machine: {} as NonNullable<Services["machine"]>,
    timers: {} as NonNullable<Services["timers"]>,
    tracer: {} as NonNullable<Services["tracer"]>,
    span,
  });
}

const own = { requestId: "r1", origin: "https://parley.test" };

describe("a copy", () => {
  test("of services has all of them", () => {
    const services = everything();
    const copy = servicesWith(services, {});
    for (const name of new Set([...Object.keys(world.services), ...Object.keys(services)]) as Set<keyof Services>)
      expect(copy[name], name).toBe(services[name]);
    expect(copy.db).toBe(world.services.db);
    expect(copy.replica).toBe(world.services.replica);
  });

  test("of a context has all of it", async () => {
    const found = await resolveActor(world.services, undefined);
    const ctx = createContext(everything(), found, { ...own, probe: { isFree: true } });
    const copy = contextWith(ctx, {});
    expect({ ...copy }).toEqual({ ...ctx });
    expect(Object.keys(copy)).toEqual(expect.arrayContaining(["actor", "settings", "probe", "requestId", "log"]));
    expect(copy.db).toBe(world.services.db);
    expect(contextWith(ctx, { origin: "https://elsewhere.test" }).origin).toBe("https://elsewhere.test");
    expect(ctx.origin).toBe(own.origin);
  });

  test("opens a database only when it is read", () => {
    let opened = 0;
    const databases = {
      get db() {
        opened++;
        return world.services.db;
      },
      get replica() {
        return this.db;
      },
    };
    const copy = servicesWithin(servicesWith(createServices(databases, world.services), {}), { a: 1 }, undefined);
    expect(opened).toBe(0);
    expect(copy.db).toBe(world.services.db);
    expect(opened).toBe(1);
  });

  test("has the same hidden class as any other, so that what a request holds goes with it", async () => {
    const found = await resolveActor(world.services, undefined);
    const ctx = createContext(world.services, found, own);
    for (const copy of [servicesWith(world.services, {}), ctx, contextWith(ctx, { catalogStamp: 2 })]) {
      const prototype: unknown = Object.getPrototypeOf(copy);
      // Not that of a request's own services, and no accessor is made for each copy.
      expect(prototype).toHaveProperty("constructor");
      const accessors = Object.values(Object.getOwnPropertyDescriptors(copy)).filter(({ get }) => get);
      expect(accessors).toEqual([]);
    }
  });
});
