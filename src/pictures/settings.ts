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
      "Pictures in texts that lie on other sites. The service fetches them, so these sites do not learn who reads. ask: after a click. show: at once, but then anyone who makes a model write such a picture learns what is in its address. link: never, a link stands there.",
  },
} as const satisfies Record<string, Definition>;
