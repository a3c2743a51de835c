import * as z from "zod";
import { factoryPermissions, type FeatureSwitches, type PartialPermissions } from "./permissions.ts";

const leavesOf = (leaves: Record<string, boolean>) =>
  z.strictObject(Object.fromEntries(Object.keys(leaves).map((leaf) => [leaf, z.boolean().optional()])));

/** Any part of the permission tree. Permissions without effect are rejected, so that nobody relies on them. */
export const partialPermissions = z
  .strictObject(
    Object.fromEntries(
      Object.entries(factoryPermissions).map(([branch, leaves]) => [branch, leavesOf(leaves).optional()]),
    ),
  )
  .transform((tree) => tree as PartialPermissions);

/** Switches for the branch `features`; unknown ones are rejected by name. */
export const featureSwitches = leavesOf(factoryPermissions.features).transform(
  (switches) => switches as FeatureSwitches,
);
