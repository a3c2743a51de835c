import { sql, type SQL } from "drizzle-orm";
import { landingRules, organizations } from "./tables.ts";

/** What is known of a new person before they have a home. */
export interface LandingFacts {
  /** Normalized address. */
  email: string;
  /** The SCIM resource as it was sent, or the OIDC claims. */
  attributes?: Record<string, unknown> | undefined;
  /** Names of their groups at the provider. */
  groups?: readonly string[] | undefined;
}

/**
 * Home organization of a new account, as SQL for the statement that makes it: of the first landing rule that fits and whose
 * organization is active, else the default one, else null.
 */
export function landingHome(facts: LandingFacts): SQL {
  const attributes = JSON.stringify(flatten(facts.attributes ?? {}));
  const groups = JSON.stringify(facts.groups ?? []);
  const domain = facts.email.slice(facts.email.lastIndexOf("@") + 1);
  const fits = sql`(r.kind = 'email_domain' AND r.value = ${domain})
    OR (r.kind = 'group' AND EXISTS (SELECT 1 FROM json_each(${groups}) f WHERE f.value = r.value))
    OR (r.kind = 'attribute' AND EXISTS (SELECT 1 FROM json_each(${attributes}) f
      WHERE f.value ->> 0 = lower(r.attribute) AND f.value ->> 1 = r.value))`;
  return sql`coalesce(
    (SELECT o.id FROM ${landingRules} r JOIN ${organizations} o ON o.id = r.organization_id
      WHERE o.active = 1 AND (${fits}) ORDER BY r.position, r.id LIMIT 1),
    (SELECT id FROM ${organizations} WHERE is_default = 1 AND active = 1))`;
}

/**
 * Every value with the dotted name of its attribute in lower case. Lists give each of their values; an element with a `value`
 * (SCIM, RFC 7643 section 2.4) counts as that. Attributes of an extension have their URN before the name (`urn:...:User:department`)
 * and are found by their bare name too.
 */
export function flatten(attributes: Record<string, unknown>): [string, string][] {
  const found: [string, string][] = [];
  const walk = (name: string, value: unknown): void => {
    if (Array.isArray(value)) return value.forEach((entry) => walk(name, entry));
    if (typeof value === "object" && value !== null) {
      for (const [key, entry] of Object.entries(value)) {
        if (key === "value") walk(name, entry);
        else walk(name === "" ? key : `${name}${name.startsWith("urn:") ? ":" : "."}${key}`, entry);
      }
      return;
    }
    if (value === null || value === undefined || name === "") return;
    const path = name.toLowerCase();
    found.push([path, String(value)]);
    if (path.startsWith("urn:")) found.push([path.slice(path.lastIndexOf(":") + 1), String(value)]);
  };
  walk("", attributes);
  return found;
}
