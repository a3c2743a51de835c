import * as z from "zod";
import { factoryPermissions, type PartialPermissions } from "./permissions.ts";

/** Any part of the permission tree. A leaf that decides nothing here is refused, so that nobody relies on it. */
export const partialPermissions = z
  .strictObject(
    Object.fromEntries(
      Object.entries(factoryPermissions).map(([branch, leaves]) => [
        branch,
        z
          .strictObject(Object.fromEntries(Object.keys(leaves).map((leaf) => [leaf, z.boolean().optional()])))
          .optional(),
      ]),
    ),
  )
  .transform((tree) => tree as PartialPermissions);
