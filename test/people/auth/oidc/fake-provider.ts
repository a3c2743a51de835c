import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from "jose";
import { createWorld, origin, type World } from "../../../world.ts";

/** What one sign-in at the fake provider answers; each test changes what it is about. */
export interface Scene {
  /** Of the person who signs in next. */
  claims: Record<string, unknown>;
  /** Of the userinfo endpoint; with its own `sub` unless it says one. */
  userinfo: Record<string, unknown>;
  /** Laid over the ID token's own claims; undefined takes one out. */
  idToken: Record<string, unknown>;
  /** Laid over the discovery document. */
  discovery: Record<string, unknown>;
  /** Answers instead of the endpoint whose path it is. */
  instead: Record<string, (request: Request) => Response | Promise<Response>>;
  /** Signs the ID token. */
  alg: string;
  /** Signs with a key that the provider does not publish, under the same name. */
  forged: boolean;
}

/** A provider inside of this process, as strict as a real one: codes work once, with their proof, client and address. */
export interface FakeProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scene: Scene;
  /** Requests so far, as `METHOD path`. */
  requests: string[];
  fetch: typeof fetch;
  /** What its authorization endpoint would do once the person has signed in there. */
  approve(authorization: string): URL;
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  /** Publishes another key and signs with it. */
  rotate(): Promise<void>;
}

let made = 0;

let keys: Promise<[ProviderKey, ProviderKey]> | undefined;

/** Every provider's first key, and a stranger's of the same name: RSA keys take long to make. */
function firstKeys(): Promise<[ProviderKey, ProviderKey]> {
  return (keys ??= Promise.all([newKey("k1"), newKey("k1")]));
}

type ProviderKey = Awaited<ReturnType<typeof newKey>>;

export async function createFakeProvider(issuer = `https://op${++made}.example`): Promise<FakeProvider> {
  const clientId = "parley";
  const clientSecret = "a secret of some length for the client";
  const [first, stranger] = await firstKeys();
  let key = first;
  const codes = new Map<string, { challenge: string; nonce: string; redirectUri: string }>();
  const scene: Scene = {
    claims: { sub: "ada-1", email: "ada@harbour.example", email_verified: true, name: "Ada Lovelace" },
    userinfo: {},
    idToken: {},
    discovery: {},
    instead: {},
    alg: "RS256",
    forged: false,
  };
  const now = () => Math.floor(Date.now() / 1000);
  const requests: string[] = [];

  const sign = async (claims: Record<string, unknown>, header: Record<string, unknown> = {}) => {
    if (scene.alg === "none") return new UnsecuredJWT(claims).encode();
    const secret = scene.alg.startsWith("HS") ? new TextEncoder().encode(clientSecret) : undefined;
    return new SignJWT(claims)
      .setProtectedHeader({ alg: scene.alg, ...(secret ? {} : { kid: key.kid }), ...header })
      .sign(secret ?? (scene.forged ? stranger : key).privateKey);
  };

  const endpoints: Record<string, (request: Request) => Response | Promise<Response>> = {
    "/.well-known/openid-configuration": () =>
      Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/me`,
        jwks_uri: `${issuer}/keys`,
        end_session_endpoint: `${issuer}/logout`,
        response_types_supported: ["code"],
        id_token_signing_alg_values_supported: ["RS256", "HS256", "ES256"],
        ...scene.discovery,
      }),
    "/keys": () => Response.json({ keys: [key.publicJwk] }),
    "/token": async (request) => {
      const form = new URLSearchParams(await request.text());
      const code = codes.get(form.get("code") ?? "");
      codes.delete(form.get("code") ?? "");
      const basic = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
      // Section 2.3.1 of RFC 6749 encodes as forms do, where a blank is a plus.
      const given = request.headers.get("authorization")?.replaceAll("%20", "+");
      const isClient =
        given === undefined
          ? form.get("client_secret") === clientSecret
          : decoded(given) === decoded(basic.replaceAll("%20", "+"));
      if (!isClient) return Response.json({ error: "invalid_client" }, { status: 401 });
      const verifier = form.get("code_verifier") ?? "";
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
      const challenge = Buffer.from(digest).toString("base64url");
      if (!code || code.redirectUri !== form.get("redirect_uri") || code.challenge !== challenge)
        return Response.json({ error: "invalid_grant", error_description: "the code is not one" }, { status: 400 });
      const idToken = await sign(
        without({
          iss: issuer,
          aud: clientId,
          iat: now(),
          exp: now() + 60,
          nonce: code.nonce,
          sid: "sid-1",
          ...scene.claims,
          ...scene.idToken,
        }),
      );
      return Response.json({ access_token: "access", token_type: "Bearer", expires_in: 60, id_token: idToken });
    },
    "/me": (request) =>
      request.headers.get("authorization") === "Bearer access"
        ? Response.json({ sub: scene.claims["sub"], ...scene.userinfo })
        : new Response(null, { status: 401 }),
  };

  return {
    issuer,
    clientId,
    clientSecret,
    scene,
    requests,
    fetch: async (input, init) => {
      const request = new Request(input as RequestInfo, init as RequestInit);
      const url = new URL(request.url);
      if (url.origin !== new URL(issuer).origin) throw new TypeError(`nobody is at ${url.origin}`);
      const path = url.pathname.slice(new URL(issuer).pathname.replace(/\/$/, "").length);
      requests.push(`${request.method} ${path}`);
      const answer = scene.instead[path] ?? endpoints[path];
      return answer ? answer(request) : new Response("not here", { status: 404 });
    },
    approve(authorization) {
      const { searchParams: asked } = new URL(authorization);
      if (asked.get("client_id") !== clientId || asked.get("response_type") !== "code")
        throw new Error("that is no request of the client");
      if (asked.get("code_challenge_method") !== "S256") throw new Error("there is no proof of the code");
      const code = crypto.randomUUID();
      codes.set(code, {
        challenge: asked.get("code_challenge")!,
        nonce: asked.get("nonce")!,
        redirectUri: asked.get("redirect_uri")!,
      });
      const back = new URL(asked.get("redirect_uri")!);
      back.searchParams.set("code", code);
      back.searchParams.set("state", asked.get("state")!);
      return back;
    },
    sign,
    async rotate() {
      key = await newKey(crypto.randomUUID());
    },
  };
}

async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  const publicJwk: JWK = { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" };
  return { kid, privateKey, publicJwk };
}

function decoded(basic: string): string {
  return decodeURIComponent(atob(basic.replace(/^Basic /, "")).replaceAll("+", " "));
}

function without(claims: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}

/** A world whose environment names the provider; `ENABLE_OAUTH_SIGNUP` is on unless it says otherwise. */
export async function createSsoWorld(provider: FakeProvider, environment: Record<string, string> = {}): Promise<World> {
  return createWorld({
    environment: {
      OPENID_PROVIDER_URL: provider.issuer,
      OAUTH_CLIENT_ID: provider.clientId,
      OAUTH_CLIENT_SECRET: provider.clientSecret,
      ENABLE_OAUTH_SIGNUP: "true",
      ...environment,
    },
    services: { outbound: { trusted: provider.fetch, guarded: refuse } },
  });
}

const refuse: typeof fetch = async () => {
  throw new Error("a provider is called by the trusted way only");
};

/** What a browser keeps: cookies by name. */
export type Jar = Map<string, string>;

/** Follows one step as a browser does: sends the jar's cookies, keeps those that come. */
export async function visit(world: World, address: string, jar: Jar, headers: Record<string, string> = {}) {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await world.request(address, { headers: { ...(cookie ? { cookie } : {}), ...headers } });
  for (const line of response.headers.getSetCookie()) {
    const [pair, ...attributes] = line.split(/; ?/);
    const at = pair!.indexOf("=");
    if (attributes.includes("Max-Age=0")) jar.delete(pair!.slice(0, at));
    else jar.set(pair!.slice(0, at), pair!.slice(at + 1));
  }
  return response;
}

export interface SignInResult {
  /** Where the browser ended up. */
  location: string;
  /** The session's token; undefined where there is none. */
  token: string | undefined;
  jar: Jar;
}

/** The whole way: to the provider, approval there, and back. */
export async function signInBySso(
  world: World,
  provider: FakeProvider,
  claims?: Record<string, unknown>,
  { next = "", jar = new Map<string, string>(), id = "oidc" }: { next?: string; jar?: Jar; id?: string } = {},
): Promise<SignInResult> {
  if (claims) provider.scene.claims = claims;
  const started = await visit(world, `/oauth/${id}/login${next && `?next=${encodeURIComponent(next)}`}`, jar);
  const authorization = started.headers.get("location")!;
  if (!authorization.startsWith("http")) return { location: authorization, token: jar.get("token"), jar };
  const back = provider.approve(authorization);
  const finished = await visit(world, back.pathname + back.search, jar);
  return { location: finished.headers.get("location") ?? `${finished.status}`, token: jar.get("token"), jar };
}

/** The person behind a token, as the service sees them. */
export async function whoIs(world: World, token: string | undefined) {
  const { status, body } = await world.call<{ id: string; email: string; name: string; role: string }>(
    "/api/v1/auths/",
    { as: token ?? "" },
  );
  return { status, ...body };
}

/** What the audit log says of one action, the latest first. */
export async function audited(world: World, action: string): Promise<Record<string, unknown>[]> {
  const { rows } = await world.client.execute({
    sql: "SELECT detail FROM audit_events WHERE action = ? ORDER BY id DESC",
    args: [action],
  });
  return rows.map((row) => JSON.parse(String(row["detail"])) as Record<string, unknown>);
}

export const callback = (provider = "oidc") => `${origin}/oauth/${provider}/login/callback`;
