import { expect, it } from "vitest";
import { useFilterWorld } from "./filter-world.ts";
import { install } from "./install.ts";

const here = useFilterWorld();

/** A function that makes the requests that it is told, and answers with what came of each. */
const asking = `class Valves { /** @secret */ key = 'none' }
class UserValves { place = 'Bergen' }
export class Pipe {
  valves = new Valves();
  userValves = new UserValves();
  async pipe(body, __service__) {
    const results = [];
    for (const [name, args] of JSON.parse(body.messages.at(-1).content)) {
      results.push(await __service__.request(name, args).catch((error) => ({ error: error.message })));
    }
    return JSON.stringify(results);
  }
}`;

async function request(requests: [name: string, args: object][], as = here.ada): Promise<unknown[]> {
  const { body } = await here.world.call<{ choices: { message: { content: string } }[] }>("/api/chat/completions", {
    as,
    json: { model: "asking", messages: [{ role: "user", content: JSON.stringify(requests) }] },
  });
  return JSON.parse(body.choices[0]!.message.content) as unknown[];
}

it("a function reads its own settings and its person's, and never those of another plugin", async () => {
  await install(here.world, { id: "asking", source: asking, valves: { key: "own secret" } });
  await install(here.world, { id: "other", source: asking, valves: { key: "other secret" } });
  const admin = await here.world.admin();
  await here.world.call("/api/v1/functions/id/asking/valves/user/update", { as: here.ada, json: { place: "Oslo" } });
  const of = (id: string, family = "function") => ({ family, id });
  const wanted: [string, object][] = [
    ["plugin.valves", of("asking")],
    ["plugin.valves", of("other")],
    ["plugin.valves", of("unknown")],
    ["plugin.valves", of("asking", "tool")],
    ["plugin.user_valves", { ...of("asking"), user_id: here.ada.id }],
    ["plugin.user_valves", { ...of("asking"), user_id: admin.id }],
  ];
  const refused = { error: expect.stringMatching(/own settings only/) };
  const others = { error: expect.stringMatching(/nobody else/) };
  const given = [{ key: "own secret" }, refused, null, null];
  expect(await request(wanted)).toEqual([...given, { place: "Oslo" }, others]);
  expect(await request(wanted, admin)).toEqual([...given, others, expect.objectContaining({})]);
  expect(
    await request([
      ["plugin.valves", { id: "asking" }],
      ["plugin.valves", of("")],
    ]),
  ).toEqual([{ error: expect.stringMatching(/family/) }, { error: expect.stringMatching(/id/) }]);
});
