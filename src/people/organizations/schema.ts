import * as z from "zod";
import { personName, time } from "../schema.ts";

/** Days; 0 for no end, null for the period of all organizations. */
const period = z.number().int().min(0).max(36_500).nullable();
const periods = z.object({ chats: period, files: period, channel_messages: period, logs: period });
export type RetentionPeriods = z.infer<typeof periods>;
const retentionChange = periods.partial();
export type RetentionChange = z.infer<typeof retentionChange>;

export const organization = z.object({
  id: z.string(),
  name: z.string(),
  active: z.boolean(),
  /** Where people land for whom no rule decides. */
  is_default: z.boolean(),
  /** Models that its people see; null for all. */
  model_ids: z.array(z.string()).nullable(),
  /** Models that new chats of its people start with, the first one that a person sees; null for DEFAULT_MODELS. */
  default_models: z.array(z.string()).nullable(),
  /** Every leaf of the permission tree's branch `features`; false closes it for the organization's people. */
  features: z.record(z.string(), z.boolean()),
  /** Megabytes that its people may store together; 0 for no limit, null for the limit of all organizations. */
  max_storage: z.number().int().nullable(),
  /** Days after which things of its people are removed; 0 for never, null for the period of all organizations. */
  retention: periods,
  /** Its people need a second factor when they sign in with a password, whatever SECOND_FACTOR says. */
  requires_second_factor: z.boolean(),
  member_count: z.number().int(),
  /** What its people have stored. */
  storage_bytes: z.number().int(),
  file_count: z.number().int(),
  created_at: time,
  updated_at: time,
});
export type Organization = z.infer<typeof organization>;

export const organizationList = z.object({ organizations: z.array(organization) });
export type OrganizationList = z.infer<typeof organizationList>;

export const organizationFields = z.object({
  name: personName,
  active: z.boolean(),
  model_ids: z.array(z.string().min(1).max(600)).max(5000).nullable(),
  default_models: z.array(z.string().min(1).max(600)).max(20).nullable(),
  max_storage: z.number().int().min(0).max(1_000_000_000).nullable(),
  retention: retentionChange,
  requires_second_factor: z.boolean(),
});

export const movedPeople = z.object({ user_ids: z.array(z.string().min(1).max(200)).min(1).max(1000) });

export const movedResult = z.object({
  organization,
  /** How many people were somewhere else before. */
  moved: z.number().int(),
});
export type MovedResult = z.infer<typeof movedResult>;

const ruleKind = z.enum(["attribute", "group", "email_domain"]);

export const landingRule = z.object({
  id: z.string(),
  kind: ruleKind,
  /** Name of the SCIM attribute or OIDC claim, dotted where nested; "" for the other kinds. */
  attribute: z.string(),
  /** What it has to be: the attribute's value, the group's name at the provider, or the domain. */
  value: z.string(),
  organization_id: z.string(),
});

/** In the order in which they are tried. */
export const landingRuleList = z.object({ rules: z.array(landingRule) });
export type LandingRuleList = z.infer<typeof landingRuleList>;

const newLandingRule = z.object({
  kind: ruleKind,
  attribute: z.string().trim().max(300).default(""),
  value: z.string().trim().min(1).max(1000),
  organization_id: z.string().min(1).max(200),
});
export type NewLandingRule = z.infer<typeof newLandingRule>;

export const newLandingRules = z.object({ rules: z.array(newLandingRule).max(1000) });

/** A hypothetical person: which rule would match? */
export const landingTrial = z.object({
  email: z.string().max(1000),
  /** The SCIM resource, or the OIDC claims. */
  attributes: z.record(z.string().max(300), z.unknown()).optional(),
  /** Names of their groups at the provider. */
  groups: z.array(z.string().max(1000)).max(1000).optional(),
});
export type LandingTrial = z.infer<typeof landingTrial>;

export const landingResult = z.object({
  /** Null where the account would not be made: the default organization is switched off. */
  organization_id: z.string().nullable(),
  /** Null where no rule decides. */
  rule_id: z.string().nullable(),
});
export type LandingResult = z.infer<typeof landingResult>;
