/** What is said while names are written. */
export const texts = {
  label: "People, models and channels",
  people: "People",
  models: "Models",
  channels: "Channels",
  model: "Answers in the thread",
  outside: "Not in the channel",
  loading: "Looking for names",
  none: "Nobody to name here",
  noChannels: "No channels to name here",
  failed: "People could not be loaded",
  found: (n: number) => (n === 1 ? "1 name" : `${n} names`),
  begin: "Name somebody",
};
