import type { HelpPage } from "../guide-page.ts";

export const firstSteps: HelpPage = {
  title: "First steps",
  keywords:
    "begin start getting started introduction help onboarding new newcomer tour install setup what is this who guide",
  links: [
    { label: "Connections", path: "/admin/connections" },
    { label: "People", path: "/admin/people" },
  ],
  sections: [
    {
      heading: "What Parley is",
      text: "Parley is one service for chatting with language models, with a web page and an HTTP API that do the same. It brings no model of its own: it talks with models that an administrator connects, at providers with an OpenAI-compatible API or in a runtime on your own machines.",
    },
    {
      heading: "The first three things to do",
      text: "1. Create the first account: it becomes the administrator.\n2. Connect a model under [Connections](/admin/connections).\n3. Decide under [Settings](/admin/settings) whether others may sign up by themselves, and let them in under [People](/admin/people).\n\nThen write in the box at the bottom and press Enter.",
    },
    {
      heading: "Start and stop the service",
      text: "`npm start` installs what is missing, starts everything and prints the address, usually `http://127.0.0.1:8080`. `PORT`, `HOST` and `DATA` change where it listens and where it keeps its data. One Ctrl-C stops it; what was saved is kept.",
    },
  ],
};
