import type { HelpPage } from "../guide-page.ts";

export const chats: HelpPage = {
  title: "Chats",
  keywords:
    "chat conversation message history search find pin rename delete branch edit regenerate retry continue stop title draft markdown table math code copy",
  links: [{ label: "New chat", path: "/" }],
  sections: [
    {
      heading: "Write, stop, go on",
      text: "Enter sends, Shift+Enter breaks the line. An answer can be stopped at any time; what arrived is kept, and *Continue* goes on from there.",
    },
    {
      heading: "Edit a question or ask again",
      text: "Editing a question or regenerating an answer makes a branch: the older version stays, and arrows beside the message switch between them.",
    },
    {
      heading: "Find, rename, pin and delete chats",
      text: "The list on the left is grouped by date and has a search over titles and messages. Each chat's menu renames, pins or deletes it.",
    },
    {
      heading: "Close the page while an answer is written",
      text: "The answer goes on without you. When you come back, on any device, it is there whole or still growing. If the service itself was restarted in between, the answer is marked as interrupted and can be continued.",
    },
    {
      heading: "Titles of chats",
      text: "A model names each new chat in the background. Administrators can switch that off or choose the model for it under [Settings](/admin/settings).",
    },
  ],
};
