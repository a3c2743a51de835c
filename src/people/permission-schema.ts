import * as z from "zod";
import { factoryPermissions, type FeatureSwitches, type PartialPermissions } from "./permissions.ts";

const leavesOf = (leaves: Record<string, boolean>) =>
  z.strictObject(Object.fromEntries(Object.keys(leaves).map((leaf) => [leaf, z.boolean().optional()])));

/** Any part of the permission tree. A leaf that decides nothing here is refused, so that nobody relies on it. */
export const partialPermissions = z
  .strictObject(
    Object.fromEntries(
      Object.entries(factoryPermissions).map(([branch, leaves]) => [branch, leavesOf(leaves).optional()]),
    ),
  )
  .transform((tree) => tree as PartialPermissions);

/** Switches over leaves of the tree's branch `features`; an unknown one is refused and named. */
export const featureSwitches = leavesOf(factoryPermissions.features).transform(
  (switches) => switches as FeatureSwitches,
);
