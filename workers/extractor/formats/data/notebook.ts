import * as z from "zod";
import { isTooDeep } from "../../../../src/lib/json-depth.ts";
import { DocumentError, type Document, type Format } from "../../document.ts";

/** Bytes: it is held as a whole, mostly pictures. */
const maxBytes = 20e6;
const maxOutputLength = 20_000;

const lines = z.union([z.string(), z.array(z.string()).transform((parts) => parts.join(""))]).catch("");
const output = z.object({ text: lines.optional(), data: z.object({ "text/plain": lines.optional() }).optional() });
const cell = z.object({ cell_type: z.string(), source: lines, outputs: z.array(output).catch([]).optional() });
const notebook = z.object({
  cells: z.array(cell),
  metadata: z
    .object({ language_info: z.object({ name: z.string() }).optional() })
    .catch({})
    .optional(),
});

/** Notebooks (Jupyter): texts, code, and what it printed. */
export const notebookFormat: Format = {
  async *read(document) {
    const { contentType, size } = document.facts;
    yield { type: "kind", contentType, unit: "bytes", total: size };
    const { cells, metadata } = await parse(document);
    const language = /^[\w+#-]{1,20}$/.exec(metadata?.language_info?.name ?? "")?.[0] ?? "";
    for (const { cell_type: kind, source, outputs = [] } of cells) {
      const text = kind === "code" ? fence(source, language) : `${source.trim()}\n\n`;
      const printed = outputs.map((each) => each.text ?? each.data?.["text/plain"] ?? "").join("");
      yield { type: "text", text: text + fence(printed.slice(0, maxOutputLength), ""), page: null, label: null };
    }
    yield { type: "progress", done: size, total: size };
  },
};

async function parse(document: Document): Promise<z.infer<typeof notebook>> {
  const text = new TextDecoder().decode(await document.bytes(maxBytes));
  if (isTooDeep(text)) throw new DocumentError("file_too_complex", "It is nested too deeply");
  try {
    return notebook.parse(JSON.parse(text));
  } catch (cause) {
    throw new DocumentError("file_corrupt", "It is damaged, or not a notebook", { cause });
  }
}

function fence(code: string, language: string): string {
  if (code.trim() === "") return "";
  return `\`\`\`${language}\n${code.replaceAll("```", "'''").trimEnd()}\n\`\`\`\n\n`;
}
