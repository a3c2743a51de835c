import type { HelpPage } from "../guide-page.ts";

export const backup: HelpPage = {
  title: "Data and backup",
  keywords:
    "backup back up restore save export import move migrate data folder database sqlite upgrade update disk key ring secrets lost",
  links: [],
  sections: [
    {
      heading: "Make a backup",
      text: "On one machine everything is in the data folder (`.data`, or where `DATA` points): the database, live sessions and the generated secrets. Stop the service, copy the folder, start again. Guard the copy: without the secrets in it, what is stored encrypted cannot be opened and everyone has to sign in again.",
    },
    {
      heading: "Restore or move to another machine",
      text: "Put the folder in place and start: `DATA=/path/to/folder npm start`. Two instances must not use one folder; the second refuses to start.",
    },
    {
      heading: "Upgrade",
      text: "Stop, take the new version, start: the database is brought up to date before anything is served. Make a backup first.",
    },
  ],
};
