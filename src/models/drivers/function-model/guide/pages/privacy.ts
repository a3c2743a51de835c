import type { HelpPage } from "../guide-page.ts";

export const privacy: HelpPage = {
  title: "Privacy",
  keywords:
    "privacy private data protection gdpr who can read see my chats stored where telemetry tracking encrypted secret leave machine",
  links: [{ label: "Sessions", path: "/settings/sessions" }],
  sections: [
    {
      heading: "Where your words go",
      text: "Your messages go to the provider of the model you chose, and to nobody else; with a local runtime they do not leave your machines. Parley sends no statistics and loads nothing from other sites.",
    },
    {
      heading: "What is stored",
      text: "Chats are stored in the service's own database and belong to the person who wrote them: other people's requests for them are answered as if they did not exist. Passwords are stored as hashes, providers' keys encrypted.",
    },
    {
      heading: "What is logged",
      text: "Log lines name what failed, with a request id. They hold no messages, passwords, tokens or keys. Administrative changes leave an audit entry: who changed what, and when.",
    },
  ],
};
