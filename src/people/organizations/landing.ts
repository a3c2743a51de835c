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
  return sql`coalesce(${firstRule(sql`o.id`, facts)}, (SELECT id FROM ${organizations} WHERE is_default = 1 AND active = 1))`;
}

/** SQL: id of the landing rule that decides; null where the default organization does, or nothing. */
export function landingRule(facts: LandingFacts): SQL {
  return firstRule(sql`r.id`, facts);
}

function firstRule(column: SQL, facts: LandingFacts): SQL {
  const attributes = JSON.stringify(flatten(facts.attributes ?? {}));
  const groups = JSON.stringify(facts.groups ?? []);
  const domain = facts.email.slice(facts.email.lastIndexOf("@") + 1);
  const fits = sql`(r.kind = 'email_domain' AND r.value = ${domain})
    OR (r.kind = 'group' AND EXISTS (SELECT 1 FROM json_each(${groups}) f WHERE f.value = r.value))
    OR (r.kind = 'attribute' AND EXISTS (SELECT 1 FROM json_each(${attributes}) f
      WHERE f.value ->> 0 = lower(r.attribute) AND f.value ->> 1 = r.value))`;
  return sql`(SELECT ${column} FROM ${landingRules} r JOIN ${organizations} o ON o.id = r.organization_id
    WHERE o.active = 1 AND (${fits}) ORDER BY r.position, r.id LIMIT 1)`;
}

/** How deep attributes are looked into; SCIM's and OIDC's are nowhere near. */
const maxDepth = 20;

/** No rule's value is longer, in characters. */
const maxValueLength = 1000;

/** Names and values that are looked at, in characters together: the database takes no parameter of some megabytes. */
const maxTotalLength = 500_000;

/**
 * Every value with the dotted name of its attribute in lower case. Lists give each of their values; an element with a `value`
 * (SCIM, RFC 7643 section 2.4) counts as that. Attributes of an extension have their URN before the name (`urn:...:User:department`)
 * and are found by their bare name too.
 */
export function flatten(attributes: Record<string, unknown>): [string, string][] {
  const found: [string, string][] = [];
  let text = 0;
  const walk = (name: string, value: unknown, depth: number): void => {
    if (depth > maxDepth) return;
    if (Array.isArray(value)) return value.forEach((entry) => walk(name, entry, depth + 1));
    if (typeof value === "object" && value !== null) {
      for (const [key, entry] of Object.entries(value)) {
        if (key === "value" && name !== "") walk(name, entry, depth + 1);
        else walk(childOf(name, key, depth), entry, depth + 1);
      }
      return;
    }
    if (value === null || value === undefined || name === "") return;
    if (String(value).length > maxValueLength) return;
    text += name.length + String(value).length;
    if (text > maxTotalLength) return;
    // SQLite's lower() folds ASCII letters only, and names of attributes have no others (RFC 7643, section 2.1).
    const path = name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    found.push([path, String(value)]);
    if (path.startsWith("urn:")) found.push([path.slice(path.lastIndexOf(":") + 1), String(value)]);
  };
  walk("", attributes, 0);
  return found;
}

/** Right below an extension's URN stands a colon, below everything else a dot (RFC 7644, section 3.10). */
function childOf(name: string, key: string, depth: number): string {
  if (name === "") return key;
  return `${name}${depth === 1 && name.startsWith("urn:") ? ":" : "."}${key}`;
}
