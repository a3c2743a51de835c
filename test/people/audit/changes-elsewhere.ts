/** Routes that change neither people, permissions, keys, connections, models nor settings. */
export const elsewhere = [
  // test/life/
  /^(?:POST|DELETE) \/api\/v1\/(?:legal-holds|users\/:id\/erasure)/,
  // Told as the file that comes of it: test/imports/content/documents.test.ts.
  /^PUT \/api\/v1\/imports\/:id\/files\/:file_id$/,
  // A record that cannot be stored fails alone, and is noted: test/imports/.
  /^POST \/api\/v1\/imports\/:id\/records$/,
  // test/people/operator/ and test/stack/doctor.test.ts
  /^POST \/api\/v1\/operator\//,
  // By links: test/people/invitations/ and test/people/auth/password-reset.test.ts
  /^(?:DELETE \/api\/v1\/invitations\/:id|POST \/api\/v1\/invitations\/(?:many|look|accept|sso))$/,
  /^POST \/api\/v1\/auths\/password\/(?:forgotten|look|reset)$/,
  // With codes of the moment: test/people/auth/second-factor.test.ts
  /^POST \/api\/v1\/auths\/(?:signin\/second_factor|second_factor\/\w+)$/,
  // With signatures of an authenticator: test/people/auth/passkeys/
  /^(?:POST|PATCH) \/api\/v1\/auths\/(?:signin\/passkey|passkeys)(?:\/|$)/,
  /^DELETE \/api\/v1\/users\/:id\/second_factor$/,
  // Sends one e-mail: test/mail/
  /^POST \/api\/v1\/mail\/test$/,
  // The launcher's work: test/stack/backup.test.ts
  /^POST \/api\/v1\/machine\/(?:backups|compactions)$/,
  // What a tab says over HTTP in place of its socket.
  /^POST \/api\/v1\/events\/frames$/,
  // Whether a folder is open in its owner's list.
  /^POST \/api\/v1\/folders\/:id\/update\/expanded$/,
  // What people write, and what they keep for their own clients.
  /^(POST|DELETE) \/api\/v1\/chats(\/|$)/,
  /^(POST|DELETE) \/api\/(v1\/)?responses(\/|$)/,
  /^POST \/api\/v1\/utils\/code\/execute$/,
  /^POST \/api\/(v1\/)?(chat\/completions|embeddings|messages?(\/count_tokens)?)$/,
  // Pictures, recordings and pages of the web: what comes of them is in the ledger, and files are told as files.
  /^POST \/api\/v1\/images\/(generations|edit)$/,
  /^POST \/api\/(v1\/)?audio\/(transcriptions|speech)$/,
  /^POST \/api\/v1\/retrieval\/(process\/web(\/search)?|web\/try)$/,
  /^POST \/api\/chat\/(completed|actions\/:action_id)$/,
  /^POST \/api\/tasks\//,
  /^POST \/api\/v1\/users\/user\/(settings|info|status)\/update$/,
  /^POST \/api\/v1\/auths\/update\/timezone$/,
  // Sessions come and go; what ends them for good is the change of an account.
  /^POST \/api\/v1\/auths\/sign(in|out)$/,
  /^DELETE \/api\/v1\/auths\/sessions(\/:id)?$/,
  // Vectors of texts that stay as they are.
  /^POST \/api\/v1\/memories\/(query|search|paths|path|reset|reindex)$/,
  // Questions that are sent as POST.
  /^POST \/api\/v1\/(functions|tools)\/(check|load\/url|id\/:id\/(?:try|check-update))$/,
  /^POST \/api\/v1\/plugins\/find$/,
  /^POST \/api\/v1\/(connections|tool-servers|users\/user\/connections)\/verify$/,
  /^POST \/api\/v1\/groups\/id\/:id\/users$/,
  /^POST \/api\/v1\/landing-rules\/try$/,
  /^POST \/api\/v1\/scim\/v2\/(Users|Groups)\/\.search$/,
  // One's own connection to a tool server takes the server's sign-in: test/plugins/tool-servers/oauth.
  /^(POST|DELETE) \/api\/v1\/tool-servers\/:id\/connect$/,
  // What comes of an upload in parts is told when it is a file: test/files/parts.
  /^(POST|PUT|DELETE) \/api\/v1\/files\/uploads(\/|$)/,
  // Questions that are sent as POST.
  /^POST \/api\/v1\/knowledge\/:id\/sync\/diff$/,
  /^POST \/api\/v1\/retrieval\/query\/(doc|collection)$/,
  // What is asked of a runtime, and what is told it to do: test/local-models.
  /^(POST|PUT|PATCH|DELETE) \/(localmodel|ollama)\//,
  // Only takes what is over off a list.
  /^DELETE \/api\/v1\/local-models\/pulls\/:id$/,
  // A plan changes nothing, and what is over is only taken off a list. What is fetched: test/plugins/packages/downloads.test.ts.
  /^POST \/api\/v1\/plugins\/packages\/bundle$/,
  /^(POST|DELETE) \/api\/v1\/plugins\/packages\/downloads(\/:id(\/(start|stop))?)?$/,
  // What is said in channels.
  /^POST \/api\/v1\/channels\/webhooks\/:id\/:token(\/slack|\/github)?$/,
  /^POST \/api\/v1\/channels\/:id\/messages\/:message_id\/(stop|regenerate)$/,
  // What people change of others' words is audited: test/channels/messages/changing.test.ts.
  /^(POST|DELETE) \/api\/v1\/channels\/:id\/messages\/(post|:message_id\/(update|pin|delete|reactions\/(add|remove)))$/,
  // One's own coming and going, and what one has read.
  /^POST \/api\/v1\/channels\/:id\/(join|leave|read|members\/active)$/,
  // Sends what is kept, or a test: test/webhooks.
  /^POST \/api\/v1\/webhooks\/(service|own)\/(test|deliveries\/:id\/replay)$/,
  /^POST \/api\/v1\/notifications\/targets\/:id\/test$/,
  // The only target is the default one already.
  /^PUT \/api\/v1\/notifications\/targets\/:id\/default$/,
  // Signed by a provider: test/people/auth/oidc.
  /^POST \/oauth\/backchannel-logout$/,
];
