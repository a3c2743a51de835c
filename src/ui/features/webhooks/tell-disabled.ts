import { isRecord } from "../../lib/live/live-state.ts";
import { router } from "../../lib/router.svelte.ts";
import { toasts } from "../../lib/toasts.svelte.ts";
import { texts } from "./texts.ts";

/** Says that a webhook was switched off without its owner, and offers the page that tells why. @param data of the live event */
export function tellDisabled(data: unknown): void {
  const whose = isRecord(data) && data["whose"] === "service" ? "service" : "own";
  const href = whose === "service" ? "/admin/webhooks" : "/settings/notifications";
  toasts.show(texts.disabled.toast[whose], {
    kind: "warn",
    stays: true,
    action: { label: texts.disabled.open, run: () => void router.navigate(href) },
  });
}
