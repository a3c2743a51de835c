import { inLanguage } from "../../../languages/admin.ts";

/** Texts of the page about single sign-on. */
export const texts = inLanguage("admin/sso", {
  title: "Single sign-on",
  sub: "The identity providers that people sign in with, what to register there, and whether they can be reached.",
  failed: "The state of single sign-on couldn't be loaded",
  reachable: "Reachable",
  unreachable: "Not reachable",
  problem: "Nobody can sign in with it until this is fixed:",
  callback: "Callback address to register at the provider",
  logout: "Back-channel logout address, if the provider supports it",
  discovery: "Discovery document",
  client: "Client ID",
  issuer: "Issuer",
  signOut: "Signing out",
  signsOut: "Ends the session at the provider too",
  signsOutHere: "Ends the session here only",
  also: "Also",
  passwords: { form: "E-mail and password on the sign-in page", off: "No passwords: sign-in only through a provider" },
  hidden: "Passwords work for programs, but the sign-in page doesn't offer them",
  last: "Sign-ins",
  lastGood: "Last sign-in",
  lastFailed: "Last failure",
  never: "Never",
  allGood: "Show sign-ins",
  allFailed: "Show failures and their reasons",
  refresh: "Refresh",
  switchOn: {
    title: "How to switch it on",
    off: "Off",
    text: "Providers are set when the service starts. Register Parley at your provider, set these variables and restart:",
    variables: "Variables",
    example: (origin: string) =>
      `OPENID_PROVIDER_URL=https://id.example.com\nOAUTH_CLIENT_ID=parley\nOAUTH_CLIENT_SECRET=…\nOAUTH_PROVIDER_NAME=Harbour ID\nWEBUI_URL=${origin}\nENABLE_OAUTH_SIGNUP=true`,
    more: "The table below lists more variables (Google, Microsoft, roles, groups, domains).",
    callback: "Callback address to register at the provider",
  },
});
