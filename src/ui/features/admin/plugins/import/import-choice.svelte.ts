import type { FoundPlugin } from "../../../../../plugins/schema.ts";
import { type ApiError, toApiError } from "../../../../lib/api-error.ts";
import { changePlugin, createPlugin, type Family, saveValves } from "../plugins-api.ts";

/** One plugin that was found, with what the person decides about it. */
export class ImportChoice {
  readonly found: FoundPlugin;
  isChosen = $state(false);
  id = $state("");
  /** None is allowed by being named. */
  allowsHosts = $state(false);
  takesValves = $state(false);
  /** Under which id it is stored now. */
  savedAs = $state<string>();
  error = $state.raw<ApiError>();
  /** It is stored, but its settings are not. */
  valvesFailed = $state(false);

  constructor(found: FoundPlugin) {
    this.found = found;
    this.isChosen = found.ok;
    this.id = found.id;
  }

  get family(): Family {
    return this.found.family ?? "function";
  }

  /** The plugin that a save makes a new version of. */
  get replaces(): FoundPlugin["existing"] {
    const { existing, id } = this.found;
    return existing?.mine && this.id.trim() === id ? existing : null;
  }

  get isTaken(): boolean {
    const { existing, id } = this.found;
    return existing !== null && !existing.mine && this.id.trim() === id;
  }

  get willSave(): boolean {
    return this.found.ok && this.isChosen && this.savedAs === undefined && !this.isTaken && this.id.trim() !== "";
  }

  /** Stores it like one that was typed in: switched off, and with the hosts that the person allowed. */
  async save(): Promise<void> {
    const { found, family, replaces } = this;
    const id = this.id.trim().toLowerCase();
    this.error = undefined;
    try {
      if (replaces)
        await changePlugin(family, id, { content: found.content, version: replaces.version, origin: found.origin });
      else
        await createPlugin(family, {
          id,
          name: found.name,
          content: found.content,
          meta: { description: found.description ?? "" },
          hosts: this.allowsHosts ? found.hosts : [],
          origin: found.origin,
        });
      this.savedAs = id;
    } catch (cause) {
      this.error = toApiError(cause);
      return;
    }
    if (replaces || !found.valves || !this.takesValves) return;
    try {
      await saveValves(family, id, "valves", found.valves);
    } catch (cause) {
      this.valvesFailed = true;
      this.error = toApiError(cause);
    }
  }
}
