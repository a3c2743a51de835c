import { untrack } from "svelte";
import { isRecord, textField } from "../../../lib/live/live-state.ts";
import { live, type PersonHandlers } from "../../../lib/live/live.svelte.ts";
import { router } from "../../../lib/router.svelte.ts";
import { shell } from "../../../lib/shell.svelte.ts";
import { type Toast, toasts } from "../../../lib/toasts.svelte.ts";
import { texts } from "../texts.ts";
import { CodeRunner } from "./code-runner.ts";
import type { Question } from "./question.ts";
import { questions } from "./questions.svelte.ts";

const kinds: Readonly<Record<string, Toast["kind"]>> = {
  info: "info",
  success: "good",
  warning: "warn",
  error: "danger",
};

let started = false;

/**
 * Connects, with all that has to reach the person on every page, whatever is open: notices of plugins, questions of chats
 * that are not in view, and code that a plugin wants run.
 */
export function startLive(person: PersonHandlers): void {
  listen();
  live.start(person);
}

function listen(): void {
  if (started) return;
  started = true;
  questions.start();
  const runner = new CodeRunner();
  live.onEvent(({ data }) => {
    if (data.type === "notification") notify(data.data);
    // Its texts are read only when they are needed.
    if (data.type === "webhook:disabled")
      void import("../../webhooks/tell-disabled.ts").then(({ tellDisabled }) => tellDisabled(data.data));
  });
  let isVisible = $state(document.visibilityState === "visible");
  document.addEventListener("visibilitychange", () => (isVisible = document.visibilityState === "visible"));
  $effect.root(() => {
    $effect(() => runner.update([...live.calls.values()], live.sessionId));
    $effect(() => {
      const { waiting } = questions;
      const hidden = waiting.filter((question) => !isInView(question));
      shell.waiting = isVisible ? hidden.length : waiting.length;
      // What stands in the list of toasts must not make this run again.
      untrack(() => showHidden(hidden));
    });
  });
}

/** Toasts by question; one that the person has closed comes again only after they have seen the question. */
const shown = new Map<string, number>();

function showHidden(hidden: readonly Question[]): void {
  for (const [id, toast] of shown) {
    if (hidden.some((question) => question.id === id)) continue;
    shown.delete(id);
    toasts.close(toast);
  }
  for (const question of hidden) if (!shown.has(question.id)) shown.set(question.id, ask(question));
}

/** Where a question is shown: in its chat, or on any page of chats where it belongs to none. */
function isInView({ chatId }: Question): boolean {
  return chatId === undefined
    ? router.path === "/" || router.path.startsWith("/c/")
    : router.path === `/c/${chatId}` || shell.chat === chatId;
}

function ask(question: Question): number {
  return toasts.show(texts.question.toast(question.title || texts.question.untitled), {
    stays: true,
    kind: "info",
    action: {
      label: texts.question.open,
      run: () => void router.navigate(question.chatId === undefined ? "/" : `/c/${question.chatId}`),
    },
  });
}

function notify(data: unknown): void {
  const text = typeof data === "string" ? data : textField(data, "content");
  const type = isRecord(data) ? textField(data, "type") : "";
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (text.trim() !== "") toasts.show(text, kind ? { kind } : {});
}
