import type { Event } from "./audit.ts";
import { texts } from "./texts.ts";

/** A sentence in parts: who, what they did, and to what; the last two may be empty. */
export interface Sentence {
  actor: string;
  before: string;
  target: string;
  after: string;
}

/** What belongs to a person has the id of that person. */
const ownKinds = new Set(["user", "webhook", "memory"]);

/**
 * Says in words what happened. An action without words of its own is spelled out of its name.
 * @param titles of settings, by their names; a setting without one is called by its name
 */
export function describeEvent(event: Event, titles: ReadonlyMap<string, string> = new Map()): Sentence {
  const { actor, action, target } = event;
  // Who signs up or in is nobody yet when it begins; it is told of them all the same.
  const own = texts.self[action];
  const isSelf = ownKinds.has(target.type) && (target.id === actor.id || actor.kind === "anonymous");
  if (own && isSelf) return { actor: actor.name || targetOf(event), before: own, target: "", after: "" };
  const who = actorOf(event);
  if (action === "settings.updated") {
    const [name, ...others] = Object.keys(event.detail);
    if (name !== undefined && others.length > 0)
      return { actor: who, before: texts.settings.several(others.length + 1), target: "", after: "" };
    const [before = "", after = ""] = texts.settings.one.split("{}");
    if (name !== undefined) return { actor: who, before, target: titles.get(name) ?? name, after };
  }
  const [before = "", after] = phraseOf(event).split("{}");
  return after === undefined
    ? { actor: who, before, target: "", after: "" }
    : { actor: who, before, target: targetOf(event, before), after };
}

function phraseOf({ action, detail, target }: Event): string {
  if (action === "function.toggled") {
    const { is_active: isActive, is_global: isGlobal } = detail;
    if (typeof isActive === "boolean") return isActive ? texts.switched.on : texts.switched.off;
    if (typeof isGlobal === "boolean") return isGlobal ? texts.switched.global : texts.switched.notGlobal;
  }
  if (action !== "scim.request.failed") return texts.actions[action] ?? spell(action);
  // What could not be made has no name and an id that nothing has.
  if (detail["operation"] === "POST") return texts.notMade[target.type] ?? texts.notMade["user"] ?? action;
  return texts.notDone[String(detail["operation"])] ?? texts.notDone["GET"] ?? action;
}

function actorOf({ actor, detail }: Event): string {
  if (actor.name) return actor.name;
  if (actor.id) return texts.gone;
  // A stranger who could not sign in may have said an address.
  const { email } = detail;
  if (actor.kind === "anonymous" && typeof email === "string" && email !== "") return email;
  return texts.actors[actor.kind] ?? actor.kind;
}

/** `webhook.url_updated` becomes `webhook: url updated {}`. */
function spell(action: string): string {
  const [noun = "", ...rest] = action.split(".");
  const words = (text: string): string => text.replaceAll(/[_-]+/g, " ");
  return rest.length === 0 ? `${words(noun)} {}` : `${words(noun)}: ${words(rest.join(" "))} {}`;
}

/**
 * The name of what it was done to, as far as the event knows it; its kind and id otherwise.
 * @param before what the sentence says already, such as "deleted the model "
 */
function targetOf({ target, detail, action }: Event, before = ""): string {
  if (target.name) return target.name;
  if (target.type === "quota" && detail["scope"] === "everyone") return texts.everyone;
  const sources =
    target.type === "sso" || action.startsWith("knowledge.directory_")
      ? []
      : [detail, detail["after"], detail["before"], detail["to"], detail["from"]];
  for (const source of sources) {
    const label = labelIn(source);
    if (label) return label;
  }
  const kind = texts.kinds[target.type] ?? target.type.replaceAll("_", " ");
  const isAlone = target.id === "" || target.id === "*" || target.id === target.type || target.id === "service";
  if (isAlone) return kind;
  return before.trimEnd().endsWith(kind) ? shorten(target.id) : `${kind} ${shorten(target.id)}`;
}

function labelIn(source: unknown): string | undefined {
  if (typeof source !== "object" || source === null) return undefined;
  const record = source as Record<string, unknown>;
  for (const name of ["name", "displayName", "email", "userName", "filename"]) {
    const value = record[name];
    if (typeof value === "string" && value !== "") return value;
    // A renamed thing is called by its new name.
    if (typeof value === "object" && value !== null && "to" in value && typeof value.to === "string") return value.to;
  }
  return undefined;
}

/** The end of a UUID tells two apart; its beginning is the time. */
function shorten(id: string): string {
  return /^[0-9a-f]{8}-/.test(id) ? `…${id.slice(-6)}` : id;
}
