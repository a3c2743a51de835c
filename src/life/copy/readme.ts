/** The text beside the data, for people who open it without Parley. */
export const readme = `Your data in Parley

Times are seconds since 1970 (UTC); in more/channel-messages.json and more/reactions.json milliseconds.

profile.json        your account with its settings
files/              your files as you uploaded them

The files with the ending .jsonl have one record in each line, and can be imported again:

chat.jsonl          your chats with all branches. Settings > Your data > Import reads them from this zip file
chat_share.jsonl    links to copies of chats that you share, with what they show
folder.jsonl        folders of your chats, with their instructions
file.jsonl          what there is to say about each file
knowledge.jsonl, knowledge_directory.jsonl, knowledge_file.jsonl      your knowledge bases and what is in them
memory.jsonl        what you want models to remember about you
prompt.jsonl, model.jsonl, function.jsonl, tool.jsonl                 what you made
person.jsonl        your account, without a password
manifest.json       how many records there are, and files that did not fit into one zip file

To bring all of it into another Parley, unpack the zip file. An administrator there runs: npm run import -- parley FOLDER

The rest is for you to read:

more/channels.json, more/channel-messages.json, more/reactions.json   channels you belong to, and what you wrote there
more/webhooks.json, more/tool-servers.json                            addresses that you have connected
more/api-keys.json, more/passkeys.json, more/sessions.json            names of your keys and passkeys, and where you are signed in. No secrets
more/tool-databases.json                                              databases that tools of other people keep for you, without what is in them
more/identities.json                                                  your accounts elsewhere
more/usage-calls.json, more/usage-days.json                           your calls of models
more/audit-by-you.json, more/audit-about-you.json                     what the audit log says about what you did, and what others did to your account

Not here: stored API responses, which expire by themselves, and what other people wrote.
`;
