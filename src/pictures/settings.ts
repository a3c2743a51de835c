import * as z from "zod";
import type { Definition } from "../settings/definition.ts";
import { outsidePictureModes } from "../shared/outside-pictures.ts";

export const pictureSettings = {
  OUTSIDE_PICTURES: {
    schema: z.enum(outsidePictureModes),
    default: "ask",
    where: "anywhere",
    section: "general",
    type: "choice",
    options: outsidePictureModes,
    title: "Pictures of other sites",
    description:
      "Pictures in texts that lie on other sites. The service fetches them, so these sites do not learn who reads. ask: nothing is fetched before a reader clicks. show: anyone who makes a model write such a picture learns what is in its address. link: nothing is fetched.",
  },
} as const satisfies Record<string, Definition>;
