import type { IconName } from "../../../components/icons.ts";
import { session } from "../../../lib/session.svelte.ts";
import type { Model } from "../models.svelte.ts";
import type { texts } from "../texts.ts";

/** Something of the service that a person can switch on for the answers of a chat. */
export interface ComposerFeature {
  /** Its name in `features` of a request, and in `meta` of a model. */
  id: keyof typeof texts.features;
  icon: IconName;
  /** The permission (`features.<id>`), and the switch of the service in its configuration. */
  flag: string;
}

/** All that there are, in the order of the list. One line more is one switch more. */
const all: readonly ComposerFeature[] = [
  { id: "web_search", icon: "globe", flag: "enable_web_search" },
  { id: "code_interpreter", icon: "code", flag: "enable_code_interpreter" },
  { id: "image_generation", icon: "image", flag: "enable_image_generation" },
];

/** Those that the person may switch on with a model. */
export function featuresFor(model: Model | undefined): ComposerFeature[] {
  const capabilities = model?.info?.meta?.capabilities;
  return all.filter(
    ({ id, flag }) =>
      session.config.features[flag] === true && session.may("features", id) && capabilities?.[id] !== false,
  );
}

/** Whether new chats with the model have it on. */
export function isOnByDefault(model: Model | undefined, id: string): boolean {
  return model?.info?.meta?.defaultFeatureIds?.includes(id) === true;
}
