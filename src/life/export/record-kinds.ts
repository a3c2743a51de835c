import { channelKinds } from "./channel-sources.ts";
import { chatKind } from "./chat-records.ts";
import { chatKinds, folderKinds } from "./chat-sources.ts";
import { documentKinds } from "./document-sources.ts";
import { peopleKinds } from "./people-sources.ts";
import type { Extent, RecordKind, RecordSource } from "./record-source.ts";
import { pluginKinds, workspaceKinds } from "./workspace-sources.ts";

/** Kinds of records whose rows one SELECT reads, in the order in which they are imported; chats come between. */
const before: readonly (readonly [string, RecordKind])[] = [
  ...peopleKinds,
  ...pluginKinds,
  ...documentKinds,
  ...workspaceKinds,
  ...folderKinds,
];
const after: readonly (readonly [string, RecordKind])[] = [...chatKinds, ...channelKinds];

/** A kind of record in an export; chats have no source, because they are read in another way. */
export interface ExportedKind {
  kind: string;
  source: RecordSource | undefined;
}

/** The kinds of an export, in the order in which they are imported: each refers only to those before it. */
export function kindsOf(extent: Extent): ExportedKind[] {
  const open = (kinds: typeof before) =>
    kinds.flatMap(([kind, sourceOf]) => {
      const source = sourceOf(extent);
      return source ? [{ kind, source }] : [];
    });
  return [...open(before), { kind: chatKind, source: undefined }, ...open(after)];
}
