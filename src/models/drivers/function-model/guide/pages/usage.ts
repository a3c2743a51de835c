import type { HelpPage } from "../guide-page.ts";

export const usagePage: HelpPage = {
  title: "Usage and quotas",
  keywords:
    "usage tokens cost costs spent budget budgets quota quotas limit limits used up 429 quota_exceeded rate requests per day month csv report ledger statistics analytics",
  links: [
    { label: "Your usage", path: "/settings/usage" },
    { label: "Quotas", path: "/admin/quotas" },
  ],
  sections: [
    {
      heading: "What was used",
      text: "Every call of a model is recorded with its tokens, also those of scripts and other programs. You find yours under [Settings, Usage](/settings/usage), by day, model and key; administrators find everybody's under [Admin, Usage](/admin/usage). Both can be downloaded as CSV.",
    },
    {
      heading: "Set a limit",
      text: "Administrators limit tokens or requests in an hour, day or month under [Admin, Quotas](/admin/quotas): for everyone, an organization, a group, a person or an API key, of one model or all. The person's own amount counts before that of their groups, of the organization and of everyone.",
    },
    {
      heading: "A limit is used up",
      text: "The answer is 429 with the code `quota_exceeded`, and says when the next hour, day or month (in UTC) begins. An administrator can raise the amount at once; what is left stands under [Settings, Usage](/settings/usage).",
    },
  ],
};
