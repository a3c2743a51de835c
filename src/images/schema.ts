import * as z from "zod";

/** Most pictures of one request. */
export const maxImages = 4;

const common = {
  prompt: z.string().trim().min(1).max(32_000),
  size: z
    .string()
    .regex(/^(?:auto|\d{2,4}x\d{2,4})$/, "expected a size such as 1024x1024, or auto")
    .nullish(),
  n: z.number().int().min(1).max(maxImages).nullish(),
  negative_prompt: z.string().max(4000).nullish(),
};

/** `POST /api/v1/images/generations`, as in Open WebUI. The model is the one of the settings. */
export const imageRequest = z.looseObject({ ...common, steps: z.number().int().min(1).max(200).nullish() });

/** Addresses of pictures: files of the service (`/api/v1/files/<id>/content`), or data URLs. */
const address = z.string().min(1).max(14_000_000);

/** `POST /api/v1/images/edit`, as in Open WebUI. */
export const imageEdit = z.looseObject({
  ...common,
  image: z.union([address, z.array(address).min(1).max(maxImages)]),
});

/** The pictures, which are files of the caller. */
export const imageList = z.array(
  z.object({ url: z.string(), id: z.string(), name: z.string(), content_type: z.string(), size: z.number().int() }),
);
export type ImageList = z.infer<typeof imageList>;

export const imageModels = z.array(z.object({ id: z.string(), name: z.string() }));
