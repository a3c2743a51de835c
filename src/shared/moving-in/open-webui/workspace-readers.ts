import type { Reader } from "../row-source.ts";
import { configReader } from "./config.ts";
import { groupsReader } from "./groups.ts";
import { keysReader } from "./keys.ts";
import { modelsReader } from "./models.ts";
import { peopleReader } from "./people.ts";
import { toolsReader } from "./plugins.ts";
import { promptsReader } from "./prompts.ts";
import { restReader } from "./rest.ts";

/** People and what they may do: all others refer to them. */
export const peopleReaders: readonly Reader[] = [peopleReader, groupsReader, keysReader, toolsReader];
/** After files, knowledge bases and folders, which models name. */
export const workspaceReaders: readonly Reader[] = [modelsReader, promptsReader, configReader, restReader];
