/**
 * Files whose results depend on the processor's time: none of the others runs beside them. `vitest --project alone` runs them one by
 * one, `npm test` in two lanes: those of the second mostly wait.
 */
export const measuringLanes = [
  [
    "test/stack/channel-webhook-pace.test.ts",
    "test/stack/plugins.test.ts",
    "test/stack/plugins-and-chats.test.ts",
    "test/plugins/python/escapes.test.ts",
  ],
  ["test/stack/watching.test.ts", "test/plugins/host/watchdog.test.ts"],
];

/** Files that take long, the longest first: started last, one of them alone would hold up the end of the run. */
export const longest = [
  "test/stack/file-chaos.test.ts",
  "test/stack/channels.test.ts",
  "test/stack/sockets.test.ts",
  "test/authorization-matrix.test.ts",
  "test/people/audit/every-change.test.ts",
  "test/stack/webhooks.test.ts",
  "test/documents/files/extraction/processes/large-texts.test.ts",
  "test/stack/deprovision.test.ts",
  "test/stack/oidc.test.ts",
  "test/stack/deployment.test.ts",
  "test/stack/finished-replies.test.ts",
];
