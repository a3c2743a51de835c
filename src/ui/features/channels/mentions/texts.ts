import { inLanguage } from "../../../languages/app.ts";

/** Texts of the list of people, models and channels to mention. */
export const texts = inLanguage("channels/mentions", {
  label: "People, models and channels",
  people: "People",
  models: "Models",
  channels: "Channels",
  model: "Answers in the thread",
  outside: "Not in the channel",
  loading: "Searching",
  none: "No one to mention here",
  noChannels: "No channels to mention here",
  failed: "People couldn't be loaded",
  found: (n: number) => (n === 1 ? "1 name" : `${n} names`),
  begin: "Mention someone",
});
