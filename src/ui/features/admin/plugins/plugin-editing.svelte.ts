import type { Checked } from "../../../../plugins/schema.ts";
import { type ApiError, toApiError } from "../../../lib/api-error.ts";
import {
  checkSource,
  createPlugin,
  type Family,
  type PluginDraft,
  type PluginView,
  type Problem,
  updatePlugin,
} from "./plugins-api.ts";
import { texts } from "./texts.ts";

/** What stands in the editor of one plugin, which all parts of its page share. */
export class PluginEditing {
  readonly family: Family;
  /** As it is stored; undefined for one that is being made. */
  stored = $state.raw<PluginView>();
  name = $state("");
  id = $state("");
  description = $state("");
  hosts = $state("");
  content = $state("");
  /** Address of the native runner that it runs on; null: in the sandbox. */
  runner = $state<string | null>(null);
  checked = $state.raw<Checked>();
  error = $state.raw<ApiError>();
  /** What goes on now. */
  busy = $state<"checking" | "saving">();

  constructor(family: Family, stored: PluginView | undefined) {
    this.family = family;
    this.take(stored);
  }

  /** Puts what is stored into the fields. */
  take(stored: PluginView | undefined): void {
    this.stored = stored;
    this.name = stored?.name ?? "";
    this.id = stored?.id ?? "";
    this.description = stored?.meta.description ?? "";
    this.hosts = (stored?.hosts ?? []).join("\n");
    this.content = stored?.content ?? "";
    this.runner = stored?.runner ?? null;
  }

  /** Hosts that were allowed elsewhere on the page; what stands in the editor stays. */
  takeHosts(hosts: string[]): void {
    if (!this.stored) return;
    this.stored = { ...this.stored, hosts };
    this.hosts = hosts.join("\n");
  }

  get isChanged(): boolean {
    const { stored } = this;
    if (!stored) return this.content !== "" || this.name !== "";
    return (
      this.content !== (stored.content ?? "") ||
      this.name !== stored.name ||
      this.runner !== (stored.runner ?? null) ||
      this.description !== (stored.meta.description ?? "") ||
      this.#hostList.join("\n") !== stored.hosts.join("\n")
    );
  }

  get language(): "javascript" | "python" {
    return guessLanguage(this.content);
  }

  get problems(): Problem[] {
    return this.checked?.problems ?? [];
  }

  /** Packages that would help, as registries name them. */
  get missingPackages(): string[] {
    return [...new Set(this.problems.flatMap((each) => each.package ?? []))];
  }

  /** Functions that can be tried: of tools their names, of functions the hooks of the kind. */
  get methods(): string[] {
    const { checked, stored } = this;
    const specs = checked?.specs ?? stored?.specs;
    const type = checked?.type ?? stored?.type;
    if (type === "tools") return (specs ?? []).map((spec) => spec.name);
    if (type === undefined) return [];
    return { pipe: ["pipe", "pipes"], filter: ["inlet", "stream", "outlet"], action: ["action"] }[type];
  }

  get nameError(): string | undefined {
    return this.name.trim() === "" ? texts.edit.nameMissing : undefined;
  }

  get idError(): string | undefined {
    return /^[a-z][a-z0-9_]*$/i.test(this.id.trim()) ? undefined : texts.edit.idWrong;
  }

  async check(): Promise<void> {
    if (this.busy) return;
    this.busy = "checking";
    this.error = undefined;
    try {
      this.checked = await checkSource(this.family, this.content, this.runner);
    } catch (cause) {
      this.error = toApiError(cause);
    }
    this.busy = undefined;
  }

  /** @returns whether it is stored now; problems of the source are in `problems` then, others in `error` */
  async save(): Promise<boolean> {
    if (this.busy || this.nameError || this.idError) return false;
    this.busy = "saving";
    this.error = undefined;
    const draft: PluginDraft = {
      id: this.id.trim(),
      name: this.name.trim(),
      content: this.content,
      meta: { ...this.stored?.meta, description: this.description.trim() },
      hosts: this.#hostList,
      // Only administrators may say it, and only they see where it can be chosen.
      ...(this.runner === (this.stored?.runner ?? null) ? {} : { runner: this.runner }),
    };
    let isSaved = false;
    const { stored } = this;
    try {
      const saved = stored
        ? await updatePlugin(this.family, draft, stored.version)
        : await createPlugin(this.family, draft);
      this.take({ ...saved, content: saved.content ?? draft.content });
      this.checked = undefined;
      isSaved = true;
    } catch (cause) {
      this.error = toApiError(cause);
    }
    this.busy = undefined;
    // A new one gets a page of its own, which looks for itself.
    if (isSaved && stored) void this.tellMissing();
    // Says where in the source the trouble is.
    if (this.error?.code === "plugin_invalid") {
      const { error } = this;
      await this.check();
      this.error = error;
    }
    return isSaved;
  }

  /** What is stored may lack packages: they are named and offered beside the source, while the rest of it can be used. */
  async tellMissing(): Promise<void> {
    const { content } = this;
    if (this.language !== "python") return;
    const checked = await checkSource(this.family, content, this.runner).catch(() => undefined);
    const isNews = checked?.problems.some((each) => each.package) && !this.busy && this.content === content;
    if (isNews) this.checked = checked;
  }

  get #hostList(): string[] {
    return this.hosts
      .split(/[\s,]+/)
      .map((host) => host.trim())
      .filter((host) => host !== "");
  }
}

/** An id out of a name: its letters and digits, the rest underscores. */
export function idOf(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^[_\d]+|_+$/g, "");
}

/** For colours only; the service finds out for itself. */
function guessLanguage(source: string): "javascript" | "python" {
  return /^\s*("""|'''|#|from\s+\S+\s+import|import\s+\w+\s*$|class\s+\w+\s*(\([^)]*\))?:)/m.test(source) &&
    !/^\s*(export|const|let|function)\b/m.test(source)
    ? "python"
    : "javascript";
}
