import * as z from "zod";

export const packageView = z.object({
  id: z.string(),
  /** Normalized (PEP 503). */
  name: z.string(),
  version: z.string(),
  filename: z.string(),
  /** Of the file, hexadecimal. */
  sha256: z.string(),
  /** Bytes. */
  size: z.number().int(),
  organization_id: z.string(),
  /** Functions, and the tools of administrators of the service, find only packages that such an administrator uploaded. */
  by_admin: z.boolean(),
  created_at: z.number().int(),
});
export type PackageView = z.infer<typeof packageView>;

export const packageList = z.object({ packages: z.array(packageView) });

export const packageQuery = z.object({ organization_id: z.string().min(1).max(200).optional() });
export const packageIdParam = z.object({ id: z.string().min(1).max(200) });

/** `file`: a wheel. `organization_id`: whose plugins can import it; default: the caller's own. */
export const packageForm = z.object({
  file: z
    .custom<File>((value) => value instanceof File, "Send the wheel as a file")
    .meta({ type: "string", format: "binary" }),
  organization_id: z.string().min(1).max(200).optional(),
});
