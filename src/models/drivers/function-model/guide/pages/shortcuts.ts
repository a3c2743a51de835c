import type { HelpPage } from "../guide-page.ts";

export const shortcuts: HelpPage = {
  title: "Keyboard",
  keywords: "keyboard shortcut shortcuts key keys hotkey command palette accessibility screen reader",
  links: [],
  sections: [
    {
      heading: "Shortcuts",
      text: "| keys | what happens |\n|---|---|\n| Enter | send |\n| Shift+Enter | new line |\n| Up, in an empty box | edit your last message |\n| Ctrl+K or ⌘K | search and commands |\n| Escape | close what is open |\n| ? | show all keys |",
    },
  ],
};
