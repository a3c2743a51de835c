import type {
  AddedPasskey,
  CreationOptions,
  RequestOptions,
  ShownPasskey,
} from "../../../../src/people/auth/passkeys/schema.ts";
import type { OwnFactor } from "../../../../src/people/auth/second-factor/schema.ts";
import { makePasskey, type Saying, type SoftwarePasskey } from "../../../fixtures/software-authenticator.ts";
import { createWorld, origin, type Person, type World } from "../../../world.ts";

export const email = "ada@harbour.example";
export const password = "correct horse";

export interface Refused {
  code: string;
  detail: string;
  second_factor?: { token: string; expires_at: number; methods: string[]; passkey?: RequestOptions };
}

export interface PasskeyWorld extends World {
  boss: Person;
  ada: Person;
  own(as?: Person): Promise<OwnFactor>;
  start(as?: Person): Promise<CreationOptions>;
  /** A passkey that the account has. */
  add(as?: Person, saying?: Saying, name?: string): Promise<SoftwarePasskey & AddedPasskey>;
  options(): Promise<RequestOptions>;
  signIn(credential: unknown): ReturnType<typeof call>;
  withPassword(): ReturnType<typeof call>;
  finish(token: string, proof: { code: string } | { passkey: ShownPasskey }): ReturnType<typeof call>;
}

type Said = Refused & { token: string; id: string; role: string; lacks_second_factor?: true };
declare function call(): Promise<{ status: number; headers: Headers; body: Said }>;

export async function createPasskeyWorld(environment: Record<string, string> = {}): Promise<PasskeyWorld> {
  const world = await createWorld({ environment });
  const boss = await world.admin();
  const ada = await world.person({ email, password });
  const post = (path: string, json: unknown, as?: Person) =>
    world.call<Said>(`/api/v1/auths/${path}`, { json, ...(as && { as }) });
  const start = async (as: Person = ada) =>
    (await world.call<CreationOptions>("/api/v1/auths/passkeys/start", { json: { password }, as })).body;
  return Object.assign(world, {
    boss,
    ada,
    start,
    own: async (as: Person = ada) => (await world.call<OwnFactor>("/api/v1/auths/second_factor", { as })).body,
    async add(as: Person = ada, saying: Saying = {}, name = "Laptop") {
      const made = await makePasskey(await start(as), origin, saying);
      const { status, body } = await world.call<AddedPasskey>("/api/v1/auths/passkeys", {
        json: { name, credential: made.credential },
        as,
      });
      if (status !== 200) throw new Error(`The passkey was not taken: ${JSON.stringify(body)}`);
      return { ...made, ...body };
    },
    options: async () =>
      (await world.call<RequestOptions>("/api/v1/auths/signin/passkey/start", { method: "POST" })).body,
    signIn: (credential: unknown) => post("signin/passkey", { credential }),
    withPassword: () => post("signin", { email, password }),
    finish: (token: string, proof: object) => post("signin/second_factor", { token, ...proof }),
  });
}
