import type { Context, Settings } from "../context.ts";
import { AppError } from "../errors.ts";
import { listProviders } from "../people/auth/oidc/providers.ts";

type ProviderSettings = Partial<Settings>;

/**
 * Why `externalId` of people cannot be used: `unset`, or `unknown` for an ID that none of the configured sign-in
 * providers has. As long as none is configured, any ID counts: people can be provisioned before they can sign in.
 */
export function providerProblem(settings: ProviderSettings): "unset" | "unknown" | null {
  const provider = settings.SCIM_AUTH_PROVIDER;
  if (!provider) return "unset";
  const configured = listProviders(settings);
  return configured.length > 0 && !configured.some(({ id }) => id === provider) ? "unknown" : null;
}

/** The problem in words; undefined if there is none. */
export function explainProviderProblem(settings: ProviderSettings): string | undefined {
  switch (providerProblem(settings)) {
    case "unset":
      return "SCIM_AUTH_PROVIDER is not set, so its sign-in provider is unknown";
    case "unknown": {
      const ids = listProviders(settings).map(({ id }) => id);
      return `SCIM_AUTH_PROVIDER is ${settings.SCIM_AUTH_PROVIDER}, but no sign-in provider has this ID (configured: ${ids.join(", ")})`;
    }
    case null:
      return undefined;
  }
}

/** The sign-in provider that externalId of people belongs to; undefined if the configured one is missing or wrong. */
export function findProvider({ settings }: Pick<Context, "settings">): string | undefined {
  return providerProblem(settings) === null ? settings.SCIM_AUTH_PROVIDER : undefined;
}

/** @throws AppError `internal_error` (500, as in the interface) with the name of the variable. */
export function requireProvider(ctx: Pick<Context, "settings">): string {
  const problem = explainProviderProblem(ctx.settings);
  if (problem !== undefined) throw new AppError("internal_error", `externalId cannot be used: ${problem}`);
  return ctx.settings.SCIM_AUTH_PROVIDER;
}
