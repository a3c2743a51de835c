import { codeWrap } from "./code-wrap.ts";
import { texts } from "./texts.ts";

/** A button in the head of a code block. Buttons have only texts, so that sanitised content stays what it is. */
export interface CodeAction {
  name: string;
  text: string;
  /** Its name for screen readers. */
  label: string;
  /** For switches: whether it is on. */
  isOn?: () => boolean;
  /** Whether blocks in this language have it; without it all have. */
  fits?: (language: string) => boolean;
  press: (button: HTMLButtonElement, code: CodeBlock) => void | Promise<void>;
}

export interface CodeBlock {
  /** The box with the head and the code. */
  box: HTMLElement;
  language: string;
  /** As it was written, without the line break at its end. */
  text: string;
}

/** All buttons of code blocks, in their order. */
export const codeActions: CodeAction[] = [
  {
    name: "wrap",
    text: texts.wrap,
    label: texts.wrapLines,
    isOn: () => codeWrap.isOn,
    press: () => codeWrap.toggle(),
  },
  { name: "copy", text: texts.copy, label: texts.copyCode, press: (button, { text }) => copyCode(button, text) },
];

/** The buttons for a block in a language. */
export function actionButtons(language: string): HTMLButtonElement[] {
  return codeActions.filter(({ fits }) => fits?.(language) ?? true).map(buttonOf);
}

function buttonOf({ name, text, label, isOn }: CodeAction): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset["code"] = name;
  button.textContent = text;
  button.ariaLabel = label;
  if (isOn) button.ariaPressed = String(isOn());
  return button;
}

/** Does what a button in the head of a block is for; nothing for other buttons. */
export function pressCodeButton(button: HTMLButtonElement): void {
  const action = codeActions.find(({ name }) => name === button.dataset["code"]);
  const box = button.closest<HTMLElement>(".code");
  if (!action || !box) return;
  const language = box.querySelector("pre")?.dataset["language"] ?? "";
  const text = (box.querySelector("code")?.textContent ?? "").replace(/\n$/u, "");
  void action.press(button, { box, language, text });
}

/** Copies, and says so on the button for a moment. */
async function copyCode(button: HTMLButtonElement, text: string): Promise<void> {
  const copied = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  button.textContent = copied ? texts.copied : texts.notCopied;
  button.ariaLabel = button.textContent;
  setTimeout(() => {
    button.textContent = texts.copy;
    button.ariaLabel = texts.copyCode;
  }, 2000);
}
