import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import type { ToolOutcome } from "../../tool.ts";
import { withoutSecrets } from "../without-secrets.ts";

/** Characters of base64 of a picture that is shown: it is stored with the message. */
const maxPictureLength = 2_700_000;

/** The result of an MCP function as the model is told it; pictures go to the person. */
export function renderResult(result: CallToolResult, secrets: readonly string[]): ToolOutcome {
  const files: Record<string, unknown>[] = [];
  const blocks = Array.isArray(result.content) ? result.content : [];
  const texts = blocks.map((block) => renderBlock(block, files)).filter((text) => text !== "");
  if (result.structuredContent !== undefined && !blocks.some((block) => block.type === "text"))
    texts.unshift(JSON.stringify(result.structuredContent));
  const content = withoutSecrets(texts.join("\n"), secrets);
  if (result.isError === true) return { ok: false, message: content || "The function failed without a reason." };
  return {
    ok: true,
    content: content || "Done: the function returned no text.",
    ...(files.length > 0 ? { files } : {}),
  };
}

function renderBlock(block: ContentBlock, files: Record<string, unknown>[]): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      if (
        /^image\/(png|jpeg|gif|webp)$/.test(block.mimeType) &&
        isBase64(block.data) &&
        block.data.length <= maxPictureLength
      ) {
        files.push({ type: "image", url: `data:${block.mimeType};base64,${block.data}` });
        return `[A picture (${block.mimeType}), shown to the person]`;
      }
      return `[A picture (${block.mimeType}) that cannot be shown]`;
    case "audio":
      return `[A sound (${block.mimeType}) that cannot be played]`;
    case "resource_link":
      return [block.title ?? block.name, block.uri, block.description].filter(Boolean).join(" — ");
    case "resource":
      return "text" in block.resource
        ? block.resource.text
        : `[A file (${block.resource.mimeType ?? "of an unknown type"}) that is not text: ${block.resource.uri}]`;
  }
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}
