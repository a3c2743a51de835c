import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  None,
  type ServerMetadata,
} from "openid-client";
import type { Context } from "../../../context.ts";
import { fetchFromProvider } from "./provider-fetch.ts";
import type { OidcProvider } from "./providers.ts";

/** What openid-client works with, for one request; built anew each time, as it holds what belongs to the request. */
export function configure(ctx: Context, provider: OidcProvider, metadata: ServerMetadata): Configuration {
  const config = new Configuration(metadata, provider.clientId, {}, authentication(ctx, provider, metadata));
  // Bounded there.
  config.timeout = 0;
  config[customFetch] = (address, init) => fetchFromProvider(ctx, address, init as RequestInit);
  // Which addresses may be plain http has been decided by then.
  if (metadata.issuer.startsWith("http:")) allowInsecureRequests(config);
  return config;
}

function authentication(ctx: Context, { id, clientSecret }: OidcProvider, metadata: ServerMetadata): ClientAuth {
  const asked = id === "oidc" ? ctx.settings.OAUTH_TOKEN_ENDPOINT_AUTH_METHOD : "auto";
  if (clientSecret === "" || asked === "none") return None();
  // What it means when nothing is said: Discovery 1.0, section 3.
  const known = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const post =
    asked === "client_secret_post" ||
    (asked === "auto" && !known.includes("client_secret_basic") && known.includes("client_secret_post"));
  return post ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
}
