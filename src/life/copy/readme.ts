/** The text beside the data, for people who open it without Parley. */
export const readme = `Your data in Parley

Times are seconds since 1970 (UTC); in channel-messages.json and reactions.json milliseconds.

manifest.json       how many of each there are, and files that did not fit into one zip file
profile.json        your account with its settings
chats.json          your chats with all branches. Settings > Your data > Import reads this file
files/              your files as you uploaded them; files.json says more about them
folders.json        folders of your chats, with their instructions
shared-chats.json   links to copies of chats that you share
knowledge.json      your knowledge bases with the files in them
memories.json       what you want models to remember about you
prompts.json, plugins.json, models.json, tool-servers.json    what you made
channels.json, channel-messages.json, reactions.json          channels you belong to, and what you wrote there
webhooks.json       addresses that are told about your events
api-keys.json, sessions.json, identities.json    names of your keys, where you are signed in, and accounts elsewhere. No secrets
usage-calls.json, usage-days.json                your calls of models
audit-by-you.json, audit-about-you.json          what the audit log says about what you did, and what others did to your account

Not here: stored API responses, which expire by themselves, and what other people wrote.
`;
