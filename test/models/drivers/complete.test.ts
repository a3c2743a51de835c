import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findModel } from "../../../src/models/catalog/find-model.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { contextFor } from "../context-for.ts";
import { answering, hanging, listing, startProvider, tagging, type Provider } from "../provider.ts";
import { storeConnection } from "../store-connection.ts";

let world: World;
let person: Person;
let provider: Provider;
beforeEach(async () => {
  world = await createWorld();
  person = await world.person();
  provider = await startProvider();
});
afterEach(async () => {
  await world.close();
  await provider.close();
});

async function complete(
  id: string,
  body: Record<string, unknown> = {},
  signal = new AbortController().signal,
): Promise<Response> {
  const ctx = await contextFor(world, person);
  const { driver, connection, upstreamId } = await findModel(ctx, id);
  return driver.complete({
    connection,
    model: upstreamId,
    body: { model: id, messages: [], ...body },
    signal,
    outbound: ctx.outbound,
  });
}

describe("completing", () => {
  test("sends the provider its own model id, key and headers, and everything of the request", async () => {
    provider.behave(listing("tide"));
    await storeConnection(world, {
      base_url: provider.origin,
      key: "sk-key",
      headers: { "X-Team": "sea" },
      prefix_id: "h",
    });
    await complete("h.tide", { stream: true, temperature: 0.5, unknown: { deep: [1] } });
    expect(provider.requests.at(-1)).toBe("POST /v1/chat/completions");
    expect(provider.headers.at(-1)).toMatchObject({
      authorization: "Bearer sk-key",
      "x-team": "sea",
      "content-type": "application/json",
      accept: "text/event-stream",
    });
    expect(JSON.parse(provider.bodies.at(-1)!)).toEqual({
      model: "tide",
      messages: [],
      stream: true,
      temperature: 0.5,
      unknown: { deep: [1] },
    });
  });

  test("goes where the list was found", async () => {
    provider.behave((request, response) =>
      (request.url === "/models" ? answering(200, '{"data":[{"id":"tide"}]}') : answering(404, "{}"))(
        request,
        response,
      ),
    );
    await storeConnection(world, { base_url: provider.origin });
    await complete("tide");
    expect(provider.requests.at(-1)).toBe("POST /chat/completions");
  });

  test("goes to /v1 of a bare host whose models are named, and to an address with a path as it is", async () => {
    await storeConnection(world, { base_url: provider.origin, model_ids: ["named"] });
    await storeConnection(world, { base_url: `${provider.origin}/inference`, model_ids: ["elsewhere"] });
    await complete("named");
    await complete("elsewhere");
    expect(provider.requests).toEqual(["POST /v1/chat/completions", "POST /inference/chat/completions"]);
  });

  test("asks a local runtime in OpenAI's shape", async () => {
    provider.behave(tagging("tiny:1b"));
    await storeConnection(world, { base_url: provider.origin, kind: "local" });
    await complete("tiny:1b");
    expect(provider.requests.at(-1)).toBe("POST /v1/chat/completions");
    expect(JSON.parse(provider.bodies.at(-1)!)).toMatchObject({ model: "tiny:1b" });
  });

  test("gives the provider's answer as it is, and follows no redirect with the key", async () => {
    await storeConnection(world, { base_url: provider.origin, key: "sk-key", model_ids: ["named"] });
    provider.behave(answering(418, "short and stout", { "x-teapot": "1" }));
    const response = await complete("named");
    expect([response.status, response.headers.get("x-teapot"), await response.text()]).toEqual([
      418,
      "1",
      "short and stout",
    ]);
    provider.behave(answering(307, "", { location: `${provider.origin}/other` }));
    expect((await complete("named")).status).toBe(307);
    expect(provider.requests.filter((request) => request.endsWith("/other"))).toEqual([]);
  });

  test("ends with its signal, also before the first byte", async () => {
    await storeConnection(world, { base_url: provider.origin, model_ids: ["named"] });
    const gone = Promise.withResolvers<void>();
    const here = Promise.withResolvers<void>();
    provider.behave((request, response) => {
      response.on("close", gone.resolve);
      hanging(request, response);
      here.resolve();
    });
    const controller = new AbortController();
    const answer = complete("named", {}, controller.signal);
    await here.promise;
    controller.abort(new Error("caller gone"));
    await expect(answer).rejects.toThrow();
    await gone.promise;
  });
});
