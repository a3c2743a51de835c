import type { IconName } from "../components/icons.ts";

/** Something the palette (Ctrl or Cmd with K) can do or open. */
export interface Command {
  id: string;
  title: string;
  /** Shown at the right: what kind of thing it is, or when it was. */
  note?: string;
  icon: IconName;
  run: () => void;
}

/** Finds commands for what was typed; an empty query asks for the usual ones. */
export interface CommandSource {
  /** Heading of the group in the palette. */
  group: string;
  find: (query: string, signal: AbortSignal) => Command[] | Promise<Command[]>;
}

/** One line in the list of keys that `?` shows. */
export interface KeyHint {
  keys: string[];
  text: string;
}

export const commandSources: CommandSource[] = [];
export const keyHints: { group: string; hints: KeyHint[] }[] = [];

/** Adds a source to the palette. Call while a component is set up; it goes when the component goes. */
export function provideCommands(source: CommandSource): void {
  $effect(() => {
    commandSources.push(source);
    return () => void commandSources.splice(commandSources.indexOf(source), 1);
  });
}

/** Adds keys to the list that `?` shows. Call while a component is set up; they go when the component goes. */
export function provideKeys(group: string, hints: KeyHint[]): void {
  const entry = { group, hints };
  $effect(() => {
    keyHints.push(entry);
    return () => void keyHints.splice(keyHints.indexOf(entry), 1);
  });
}
