import { describe, expect, test } from "vitest";
import { explainRejection } from "../../../src/upstream/errors/explain-rejection.ts";
import { failureOfStatus } from "../../../src/upstream/errors/provider-failure.ts";

const signal = new AbortController().signal;
const lost = new Error("Network connection lost.");
const internal = new Error("internal error; reference = k00o46mnhhh9npqm1nej691g");

/** A network that refuses the probe with this error, or answers it. */
function network(probe?: Error): { fetch: typeof fetch; probes: string[] } {
  const probes: string[] = [];
  const answer: typeof fetch = (input, init) => {
    probes.push(`${init!.method} ${String(input)} ${JSON.stringify(init!.headers ?? null)}`);
    return probe ? Promise.reject(probe) : Promise.resolve(new Response(null, { status: 400 }));
  };
  return { fetch: answer, probes };
}

describe("what workerd says of a call that came to nothing", () => {
  test.each([
    ["a refused connection", lost, "http://host.test/v1", undefined, "refused"],
    ["a name that does not exist", internal, "http://host.test/v1", undefined, "unknown_host"],
    ["the same over https", internal, "https://host.test/v1", internal, "unknown_host"],
    ["TLS that fails where something speaks http", internal, "https://host.test/v1", undefined, "tls"],
    ["TLS that fails where something hangs up on http", internal, "https://host.test/v1", lost, "tls"],
    ["something new", new Error("The moon is full"), "https://host.test/v1", undefined, "unreachable"],
  ])("of %s", async (_, error, url, probe, reason) => {
    expect(await explainRejection(error, url, network(probe).fetch, signal)).toMatchObject({ reason });
  });

  test("is looked into without secrets and on the same port", async () => {
    const { fetch, probes } = network();
    await explainRejection(internal, "https://host.test/v1", fetch, signal);
    await explainRejection(internal, "https://host.test:8443/v1", fetch, signal);
    expect(probes).toEqual(["HEAD http://host.test:443/ null", "HEAD http://host.test:8443/ null"]);
  });
});

test.each([
  [521, "refused"],
  [522, "timeout"],
  [526, "tls"],
  [530, "unknown_host"],
  [503, "provider_error"],
])("the edge's status %i means %s", (status, reason) => {
  const response = new Response("", { status });
  expect(failureOfStatus(response, "", "https://host.test/v1/models", [])).toMatchObject({ reason });
});
