import type { Environment } from "../../context.ts";
import { listProviders } from "../../people/auth/oidc/providers.ts";
import { explainProviderProblem } from "../provider.ts";

/** Shorter tokens can be guessed. */
const minTokenLength = 24;

/**
 * Problems with the configuration of provisioning, for the log at the start and for administrators; empty while it is
 * off.
 */
export function scimWarnings(environment: Environment): string[] {
  if (environment.SCIM_ENABLED !== true) return [];
  const problem = explainProviderProblem(environment);
  const warnings: string[] = [];
  if (problem !== undefined)
    warnings.push(
      `${problem}: requests that use the externalId of people fail with 500, and people cannot be matched by it when they sign in`,
    );
  else if (listProviders(environment).length === 0)
    warnings.push(
      `No sign-in provider is configured yet: externalId is kept for ${environment.SCIM_AUTH_PROVIDER}, and provisioned people cannot sign in`,
    );
  for (const name of ["SCIM_TOKEN", "SCIM_TOKEN_PREVIOUS"] as const) {
    const token = environment[name];
    if (token && token.length < minTokenLength)
      warnings.push(`${name} is shorter than ${minTokenLength} characters: create a long random one`);
  }
  if (environment.SCIM_TOKEN_PREVIOUS)
    warnings.push("SCIM_TOKEN_PREVIOUS is still accepted: remove it when the identity provider has the new token");
  return warnings;
}
