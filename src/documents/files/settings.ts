import * as z from "zod";
import type { Definition } from "../../settings/definition.ts";

const address = z.union([z.literal(""), z.url({ protocol: /^https?$/ })]);

/** Settings of uploads and processing. */
export const fileSettings = {
  RAG_FILE_MAX_SIZE: {
    schema: z.number().int().min(1).max(5000),
    default: 500,
    where: "anywhere",
    section: "documents",
    type: "number",
    title: "Largest file (MB)",
    description: "Larger files are rejected during the upload.",
  },
  RAG_FILE_MAX_COUNT: {
    schema: z.number().int().min(1).max(1000),
    default: 100,
    where: "anywhere",
    section: "documents",
    type: "number",
    title: "Files per message",
    description: "How many files may be attached to a message.",
  },
  RAG_ALLOWED_FILE_EXTENSIONS: {
    schema: z.array(z.string().regex(/^\.?[\p{L}\p{N}]+$/u)).max(200),
    default: [],
    where: "anywhere",
    section: "documents",
    type: "list",
    separator: ",",
    title: "Allowed file types",
    description: "File extensions that may be uploaded, such as pdf or docx. If empty, all are allowed.",
  },
  FILE_PROCESSING_TIMEOUT: {
    schema: z.number().int().min(10).max(86_400),
    default: 3600,
    where: "anywhere",
    section: "documents",
    type: "number",
    title: "Processing timeout (seconds)",
    description: "A file that is not searchable by then is marked as failed.",
  },
  CONTENT_EXTRACTION_ENGINE: {
    schema: z.enum(["", "external"]),
    default: "",
    where: "anywhere",
    section: "documents",
    type: "choice",
    options: ["", "external"],
    title: "Document reader",
    description: "external: the service below reads all files. Otherwise it reads only what Parley cannot read.",
  },
  EXTERNAL_DOCUMENT_LOADER_URL: {
    schema: address,
    default: "",
    where: "anywhere",
    section: "documents",
    type: "text",
    title: "Address of an external reader",
    description:
      "Receives the file as PUT {address}/process and returns page_content. If empty, no external reader is used.",
  },
  EXTERNAL_DOCUMENT_LOADER_API_KEY: {
    schema: z.string().max(4000),
    default: "",
    where: "environment",
    section: "documents",
    type: "text",
    secret: true,
    title: "Key of the external reader",
    description: "Sent as a Bearer token.",
  },
  RAG_VISION_MODEL: {
    schema: z.string().max(500),
    default: "",
    where: "anywhere",
    section: "documents",
    type: "text",
    picks: { what: "model" },
    title: "Model that reads pictures",
    description: "The ID of a model with vision. It reads images and scanned pages. Without one they have no text.",
  },
} as const satisfies Record<string, Definition>;
