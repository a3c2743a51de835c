import type { Reader } from "../row-source.ts";
import { peopleReaders, workspaceReaders } from "./workspace-readers.ts";

/** Read only if somebody asks for it: settings change how the whole service works. */
export const configReader = "config";

/** Everything that is read, in the order in which it is imported: each refers only to what stands before it. */
export const openWebuiReaders: readonly Reader[] = [...peopleReaders, ...workspaceReaders];
