import type { Issue } from "../../errors.ts";
import type { MessageChange } from "./read-stored-message.ts";

/** A message that is already stored. */
export interface KnownMessage {
  id: string;
  parentId: string | null;
}

export interface TreePlan {
  /** New messages, parents before children, siblings in their order. */
  inserts: { change: MessageChange; parentId: string | null }[];
  /** Stored messages that get another parent than the one that was seen; in this order no step creates a loop. */
  moves: (KnownMessage & { seen: string | null })[];
  /** Places where the tree was broken; with `repair` each was fixed by making the message a root. */
  issues: Issue[];
  /** The end of the newest branch; null in an empty tree. */
  newestLeaf: string | null;
}

/**
 * Merges a save into the stored tree. It never removes messages. Parents decide; `childrenIds` is used only for the
 * order of siblings, and for the parent of a new message without one. A parent that does not exist and a loop are
 * issues.
 */
export function planTree(known: readonly KnownMessage[], changes: readonly MessageChange[]): TreePlan {
  const stored = new Map(known.map((message) => [message.id, message.parentId]));
  const changed = new Map(changes.map((change) => [change.id, change]));
  const adoptive = adoptions(changes);
  const parents = new Map(stored);
  for (const change of changes) {
    if (change.parentId !== undefined) parents.set(change.id, change.parentId);
    else if (!stored.has(change.id)) parents.set(change.id, adoptive.get(change.id) ?? null);
  }
  const issues = mend(parents);
  const order = walk(parents, changed);
  const inserts = order.filter((id) => !stored.has(id));
  return {
    inserts: inserts.map((id) => ({ change: changed.get(id)!, parentId: parents.get(id)! })),
    moves: order
      .filter((id) => stored.has(id) && stored.get(id) !== parents.get(id))
      .map((id) => ({ id, parentId: parents.get(id)!, seen: stored.get(id)! })),
    issues,
    newestLeaf: newestLeaf(parents, order),
  };
}

/** Parents according to the lists of children; the first list with a child wins. */
function adoptions(changes: readonly MessageChange[]): Map<string, string> {
  const parents = new Map<string, string>();
  for (const change of changes) {
    for (const child of change.childrenIds) if (!parents.has(child)) parents.set(child, change.id);
  }
  return parents;
}

/** Makes every message without an existing parent a root, and one message of each loop. */
function mend(parents: Map<string, string | null>): Issue[] {
  const issues: Issue[] = [];
  const path = (id: string) => `chat.history.messages.${id}.parentId`;
  for (const [id, parent] of parents) {
    if (parent === null || parents.has(parent)) continue;
    issues.push({ path: path(id), message: `no message ${parent} in this chat` });
    parents.set(id, null);
  }
  const sound = new Set<string>();
  for (const start of parents.keys()) {
    const trail = new Set<string>();
    let at: string | null = start;
    while (at !== null && !sound.has(at) && !trail.has(at)) {
      trail.add(at);
      at = parents.get(at)!;
    }
    if (at !== null && trail.has(at)) {
      issues.push({ path: path(at), message: "its parents form a loop" });
      parents.set(at, null);
    }
    for (const id of trail) sound.add(id);
  }
  return issues;
}

/**
 * All ids, parents before children; siblings in the order of their parent's list, the others by time and then in order
 * of arrival.
 */
function walk(parents: Map<string, string | null>, changed: Map<string, MessageChange>): string[] {
  const children = new Map<string | null, string[]>();
  for (const [id, parent] of parents) {
    const siblings = children.get(parent);
    if (siblings) siblings.push(id);
    else children.set(parent, [id]);
  }
  for (const [parent, siblings] of children) {
    const listed = new Map((parent === null ? [] : (changed.get(parent)?.childrenIds ?? [])).map((id, at) => [id, at]));
    const rank = (id: string) => listed.get(id) ?? listed.size;
    const time = (id: string) => changed.get(id)?.createdAt ?? 0;
    siblings.sort((a, b) => rank(a) - rank(b) || time(a) - time(b));
  }
  const order: string[] = [];
  const open = [...(children.get(null) ?? [])].reverse();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    order.push(id);
    open.push(...(children.get(id) ?? []).toReversed());
  }
  return order;
}

function newestLeaf(parents: Map<string, string | null>, order: readonly string[]): string | null {
  const last = new Map<string | null, string>();
  for (const id of order) last.set(parents.get(id)!, id);
  let at = last.get(null) ?? null;
  for (let next = at; next !== null; next = last.get(next) ?? null) at = next;
  return at;
}
