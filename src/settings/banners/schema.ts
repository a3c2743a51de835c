import * as z from "zod";

/** Notices above every page. Names and paths are Open WebUI's. */

export const bannerTypes = ["info", "success", "warning", "error"] as const;
export const maxBanners = 20;
export const maxBannerContent = 2000;
export const maxBannerTitle = 200;

const wellFormed = (text: string) => text.isWellFormed() && !text.includes("\0");
const line = z
  .string()
  .trim()
  .max(maxBannerTitle)
  .refine((text) => wellFormed(text) && !/[\r\n]/.test(text), "one line of valid text");

export const banner = z.object({
  /** A changed banner with the same id and a later `timestamp` is shown again to people who have closed it. */
  id: z.string().min(1).max(100),
  type: z.enum(bannerTypes),
  title: line.nullish().transform((title) => title || null),
  /** Markdown. */
  content: z
    .string()
    .trim()
    .min(1, "a text of at least one character")
    .max(maxBannerContent)
    .refine(wellFormed, "valid text"),
  /** Whether people can close it. */
  dismissible: z.boolean(),
  /** Epoch seconds. */
  timestamp: z.number().int().min(0),
});
export type Banner = z.infer<typeof banner>;

export const bannerList = z
  .array(banner)
  .max(maxBanners)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, "each id once");

export const banners = z.object({ banners: bannerList });
