import * as z from "zod";

/** Name of the first file of a bundle. */
export const pinsFile = "pins.json";

/** What a bundle says of its wheels: a zip file that holds this first, and then each wheel as it is. */
export const bundlePins = z.object({
  /** Of this file. */
  format: z.literal(1),
  packages: z
    .array(
      z.object({
        name: z.string().max(200),
        version: z.string().max(100),
        filename: z
          .string()
          .max(300)
          .regex(/^[^/\\]+\.whl$/),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        size: z.number().int().positive(),
        license: z.string().max(1000).nullable().default(null),
        /** Host of the registry. */
        registry: z.string().max(300).default(""),
      }),
    )
    .min(1)
    .max(60)
    .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, "A package is there twice"),
});
export type BundlePins = z.infer<typeof bundlePins>;
