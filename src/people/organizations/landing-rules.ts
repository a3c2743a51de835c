import { sql } from "drizzle-orm";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError, type Issue } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../audit/audit-row.ts";
import { normalizeEmail, requireEmail } from "../email.ts";
import { stillManages } from "../still-manages.ts";
import { landingHome, landingRule } from "./landing.ts";
import type { LandingResult, LandingRuleList, LandingTrial, NewLandingRule } from "./schema.ts";
import { landingRules, organizations } from "./tables.ts";

/** The rules in the order in which they are tried. @throws AppError `forbidden`. */
export async function listLandingRules(ctx: Context): Promise<LandingRuleList> {
  requireAdmin(ctx);
  return { rules: await selectRules(ctx) };
}

function selectRules(ctx: Context) {
  return ctx.db
    .select({
      id: landingRules.id,
      kind: landingRules.kind,
      attribute: landingRules.attribute,
      value: landingRules.value,
      organization_id: landingRules.organizationId,
    })
    .from(landingRules)
    .orderBy(landingRules.position, landingRules.id);
}

/**
 * Replaces the whole list in one batch: whoever lands meanwhile sees the old list or the new one.
 * @throws AppError `forbidden`; `validation_failed` for a rule that could never fit or names an unknown organization.
 */
export async function replaceLandingRules(ctx: Context, given: NewLandingRule[]): Promise<LandingRuleList> {
  const actor = requireAdmin(ctx);
  const rules = checkedRules(given);
  const rows = JSON.stringify(
    rules.map((rule, at) => [newId(), at, rule.kind, rule.attribute, rule.value, rule.organization_id]),
  );
  const unknown = sql`SELECT value ->> 1 AS at FROM json_each(${rows}) WHERE value ->> 5 NOT IN (SELECT id FROM ${organizations})`;
  const may = stillManages(actor);
  const allowed = sql`(${may} AND NOT EXISTS (${unknown}))`;
  const before = sql`(SELECT json_group_array(json_array(kind, attribute, value, organization_id))
    FROM (SELECT * FROM ${landingRules} ORDER BY position, id))`;
  const after = JSON.stringify(rules.map((rule) => [rule.kind, rule.attribute, rule.value, rule.organization_id]));
  const [[state], , , , stored] = await ctx.db.batch([
    ctx.db.all<{ may: number; unknown: string }>(
      sql`SELECT ${may} AS may, (SELECT json_group_array(at) FROM (${unknown})) AS unknown`,
    ),
    auditRowIf(
      ctx,
      {
        action: "landing_rules.replaced",
        targetType: "landing_rules",
        targetId: "all",
        detail: sql`json_object('from', json(${before}), 'to', json(${after}))`,
      },
      sql`${allowed} AND json(${before}) <> json(${after})`,
    ),
    ctx.db.delete(landingRules).where(allowed),
    ctx.db.insert(landingRules).select(
      sql`SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, ${ctx.now()}
        FROM json_each(${rows}) WHERE ${allowed}`,
    ),
    selectRules(ctx),
  ]);
  if (!state!.may) throw new AppError("forbidden", "Only an administrator can do this");
  const places = JSON.parse(state!.unknown) as number[];
  if (places.length > 0) {
    throw wrongRules(places.map((at) => ({ path: `rules.${at}.organization_id`, message: "No such organization" })));
  }
  return { rules: stored };
}

/** Domains as addresses have them, names and values trimmed. @throws AppError `validation_failed`. */
function checkedRules(given: NewLandingRule[]): NewLandingRule[] {
  const issues: Issue[] = [];
  const rules = given.map((rule, at) => {
    if (rule.kind === "attribute") {
      if (rule.attribute === "")
        issues.push({ path: `rules.${at}.attribute`, message: "A rule by attribute needs the name of the attribute" });
      return rule;
    }
    if (rule.kind === "group") return { ...rule, attribute: "" };
    const address = normalizeEmail(`someone@${rule.value.replace(/^@/, "")}`);
    if (address === undefined)
      issues.push({ path: `rules.${at}.value`, message: "Not a valid domain, such as example.org" });
    return { ...rule, attribute: "", value: address?.slice("someone@".length) ?? rule.value };
  });
  if (issues.length > 0) throw wrongRules(issues);
  return rules;
}

function wrongRules(issues: Issue[]): AppError {
  return new AppError("validation_failed", `${issues[0]!.path}: ${issues[0]!.message}`, { param: "rules", issues });
}

/** Where a person would land, were their account made now. @throws AppError `forbidden`, `invalid_email`. */
export async function tryLanding(ctx: Context, input: LandingTrial): Promise<LandingResult> {
  requireAdmin(ctx);
  const facts = { ...input, email: requireEmail(input.email) };
  const [row] = await ctx.db.all<LandingResult>(
    sql`SELECT ${landingHome(facts)} AS organization_id, ${landingRule(facts)} AS rule_id`,
  );
  return row!;
}
