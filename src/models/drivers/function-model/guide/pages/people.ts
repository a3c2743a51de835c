import type { HelpPage } from "../guide-page.ts";

export const people: HelpPage = {
  title: "People and roles",
  keywords:
    "user users account accounts role admin administrator pending approve invite add member sign up signup register registration waiting group permission deactivate delete",
  links: [
    { label: "People", path: "/admin/people" },
    { label: "Settings", path: "/admin/settings" },
  ],
  sections: [
    {
      heading: "Roles",
      text: "The first account is an administrator. Later ones are *pending* and see a waiting page until an administrator makes them users under [People](/admin/people); the setting `DEFAULT_USER_ROLE` can let them in at once. Users chat; administrators also manage people, connections, models and settings.",
    },
    {
      heading: "Add someone, or let people sign up",
      text: "Administrators create accounts with a role under [People](/admin/people). Whether people may sign up by themselves is the setting *People may sign up* (`ENABLE_SIGNUP`).",
    },
    {
      heading: "Take someone's access away",
      text: "Deactivate the person under [People](/admin/people): all their sessions end with the next request and open pages are closed; their chats are kept. Deleting an account deletes its chats too.",
    },
  ],
};
