import type { Environment } from "../../context.ts";
import { listProviders } from "../../people/auth/oidc/providers.ts";

/** Shorter tokens can be guessed. */
const minTokenLength = 24;

/** What is not as it should be about provisioning, for the log at the start and for administrators; nothing while it is off. */
export function scimWarnings(environment: Environment): string[] {
  if (environment.SCIM_ENABLED !== true) return [];
  const provider = environment.SCIM_AUTH_PROVIDER;
  const warnings: string[] = [];
  if (!provider)
    warnings.push(
      "SCIM_AUTH_PROVIDER is not set: requests that use the externalId of people fail, and people cannot be matched by it when they sign in",
    );
  else if (!listProviders(environment).some((known) => known.id === provider))
    warnings.push(`SCIM_AUTH_PROVIDER is ${provider}, but no sign-in provider has this ID`);
  for (const name of ["SCIM_TOKEN", "SCIM_TOKEN_PREVIOUS"] as const) {
    const token = environment[name];
    if (token && token.length < minTokenLength)
      warnings.push(`${name} is shorter than ${minTokenLength} characters: create a long random one`);
  }
  if (environment.SCIM_TOKEN_PREVIOUS)
    warnings.push("SCIM_TOKEN_PREVIOUS is still accepted: remove it when the identity provider has the new token");
  return warnings;
}
