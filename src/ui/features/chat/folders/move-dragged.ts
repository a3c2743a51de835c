import { explainError } from "../../../components/explain-error.ts";
import { toApiError } from "../../../lib/api-error.ts";
import { toasts } from "../../../lib/toasts.svelte.ts";
import type { Dragged } from "./drag.ts";
import { idsInside } from "./folder-tree.ts";
import { folders } from "./folders.svelte.ts";
import { texts } from "./texts.ts";

/** Moves what was dropped on a folder, or outside of all of them. Says so where that fails. */
export async function moveDragged({ kind, id }: Dragged, target: string | null): Promise<void> {
  try {
    if (kind === "chat") await folders.moveChat(id, target);
    else if (target === null || !idsInside(folders.all, id).has(target)) await folders.move(id, target);
  } catch (cause) {
    toasts.show(`${texts.failed.move}. ${explainError(toApiError(cause))}`, { kind: "danger" });
  }
}
