import * as z from "zod";
import type { Definition } from "../settings/definition.ts";

const size = z.string().regex(/^(?:|auto|\d{2,4}x\d{2,4})$/, "such as 1024x1024, or auto");

/** Settings of pictures that models make. Names are Open WebUI's where it has them. */
export const imageSettings = {
  ENABLE_IMAGE_GENERATION: {
    schema: z.boolean(),
    default: false,
    where: "anywhere",
    section: "images",
    type: "boolean",
    title: "Pictures by models",
    description: "People with the permission can have pictures made.",
  },
  IMAGE_GENERATION_CONNECTION: {
    schema: z.string().max(200),
    default: "",
    where: "anywhere",
    section: "images",
    type: "text",
    title: "Connection for pictures",
    description: "A connection that has OpenAI's /images/generations.",
  },
  IMAGE_GENERATION_MODEL: {
    schema: z.string().max(256),
    default: "",
    where: "anywhere",
    section: "images",
    type: "text",
    title: "Model for pictures",
    description: "As the provider calls it, such as gpt-image-1.",
  },
  IMAGE_SIZE: {
    schema: size,
    default: "1024x1024",
    where: "anywhere",
    section: "images",
    type: "text",
    title: "Size",
    description: "Width and height in pixels, such as 1024x1024, or auto. If empty, the provider decides.",
  },
  IMAGE_STEPS: {
    schema: z.number().int().min(0).max(200),
    default: 0,
    where: "anywhere",
    section: "images",
    type: "number",
    title: "Steps",
    description: "For providers that take steps, such as LocalAI. 0: not sent.",
  },
  ENABLE_IMAGE_PROMPT_GENERATION: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "images",
    type: "boolean",
    title: "Descriptions by a model",
    description:
      "The task model turns the conversation into a description first. Otherwise the words of the question are sent.",
  },
  ENABLE_IMAGE_EDIT: {
    schema: z.boolean(),
    default: true,
    where: "anywhere",
    section: "images",
    type: "boolean",
    title: "Changing pictures",
    description: "Pictures of a chat can be changed, by the provider's /images/edits.",
  },
  IMAGE_EDIT_MODEL: {
    schema: z.string().max(256),
    default: "",
    where: "anywhere",
    section: "images",
    type: "text",
    title: "Model for changes",
    description: "If empty, the model for pictures.",
  },
} as const satisfies Record<string, Definition>;
