import path from "node:path";
import type { Guard } from "../guard.ts";
import { complain } from "../say.ts";
import { Pauses } from "./pauses.ts";
import { type Limits, PluginProcess, usualLimits } from "./plugin-process.ts";

export interface PoolOptions {
  /** As compileHostConfig makes it; asked for when the first process starts. */
  configuration(): Promise<Buffer>;
  /** Folder for sockets, which only this user may enter. */
  folder: string;
  guard: Guard;
  limits?: Limits;
  /** So many processes, the spare not counted. */
  maxProcesses?: number;
  /** Without a socket, in ms. */
  idleTime?: number;
}

/** A process that has seen several versions and is larger than this makes room for a fresh one, which has only the latest. */
const renewAbove = 450e6;
const tidyEvery = 15_000;
/** Descriptions have a process together, and nobody is made to wait for what others had described. */
const describing = "describe";

/**
 * The processes of the plugin host: one for each plugin that is in use, so that none waits for another's loop. They start when
 * they are needed; once plugins are in use at all, one more stands ready. When there are too many, plugins share.
 */
export class PluginPool {
  readonly #options: PoolOptions;
  readonly #pauses = new Pauses(() => performance.now());
  readonly #byPlugin = new Map<string, PluginProcess>();
  readonly #all = new Set<PluginProcess>();
  #spare: PluginProcess | undefined;
  #configuration: Promise<Buffer> | undefined;
  #count = 0;
  #tidying: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Milliseconds for which a plugin is not run; 0: it is. */
  pauseOf(plugin: string): number {
    return this.#pauses.remaining(plugin);
  }

  /**
   * The process that serves a plugin, ready, with a socket counted.
   * @param version what one isolate is kept for
   * @throws Error when no process comes up
   */
  async acquire(plugin: string, version: string): Promise<{ process: PluginProcess; release: () => void }> {
    const found = this.#byPlugin.get(plugin);
    if (found && found.versions.size > 1 && (await found.measure()) > renewAbove) this.#retire(found);
    const process = this.#find(plugin) ?? (await this.#assign(plugin));
    process.versions.add(`${plugin}/${version}`);
    const release = process.addSocket();
    try {
      await process.ready;
    } catch (error) {
      release();
      throw error;
    }
    return { process, release };
  }

  /** Ends all of them; those that come after get the configuration anew. */
  renew(): void {
    this.#configuration = undefined;
    for (const process of this.#all) process.stop();
    this.#byPlugin.clear();
    this.#spare = undefined;
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#tidying);
    this.renew();
  }

  get processes(): readonly PluginProcess[] {
    return [...this.#all];
  }

  async #assign(plugin: string): Promise<PluginProcess> {
    const configuration = await (this.#configuration ??= this.#options.configuration());
    if (this.#isStopped) throw new Error("The plugin host is stopping");
    // Someone else may have asked meanwhile.
    const found = this.#find(plugin);
    if (found) return found;
    const process = this.#takeSpare() ?? this.#makeRoom() ?? this.#start(configuration);
    process.plugins.add(plugin);
    this.#byPlugin.set(plugin, process);
    void process.ready.then(
      () => this.#prepareSpare(configuration),
      // Told by whoever waits for it.
      () => undefined,
    );
    this.#tidying ??= setInterval(() => this.#tidy(), Math.min(tidyEvery, this.#idleTime)).unref();
    return process;
  }

  #takeSpare(): PluginProcess | undefined {
    if (this.#inUse().length >= this.#maxProcesses) return undefined;
    const spare = this.#spare;
    this.#spare = undefined;
    return spare?.hasEnded === false ? spare : undefined;
  }

  /** Undefined while there may be more processes; else the least busy one, after the idlest was ended if any is idle. */
  #makeRoom(): PluginProcess | undefined {
    const inUse = this.#inUse();
    if (inUse.length < this.#maxProcesses) return undefined;
    const [idlest] = inUse.filter(({ sockets }) => sockets === 0).toSorted((a, b) => a.idleSince - b.idleSince);
    if (idlest) {
      this.#retire(idlest);
      return undefined;
    }
    return inUse.toSorted((a, b) => a.sockets - b.sockets)[0];
  }

  #start(configuration: Buffer): PluginProcess {
    const { folder, guard, limits = usualLimits } = this.#options;
    const process = new PluginProcess(configuration, path.join(folder, `p${++this.#count}.sock`), guard, limits);
    this.#all.add(process);
    void process.ended.then((reason) => {
      this.#all.delete(process);
      for (const plugin of process.plugins) {
        if (this.#byPlugin.get(plugin) === process) this.#byPlugin.delete(plugin);
        if (reason === undefined || plugin === describing) continue;
        complain(`The plugin ${plugin} was stopped: ${reason}`);
        this.#pauses.stopped(plugin);
      }
    });
    return process;
  }

  #prepareSpare(configuration: Buffer): void {
    if (this.#isStopped || this.#inUse().length >= this.#maxProcesses) return;
    if (this.#spare === undefined || this.#spare.hasEnded) this.#spare = this.#start(configuration);
  }

  #tidy(): void {
    const now = performance.now();
    for (const process of this.#inUse().filter(({ sockets }) => sockets === 0)) {
      const isGrown = process.rss > renewAbove && (process.versions.size > 1 || process.plugins.has(describing));
      if (isGrown || now - process.idleSince > this.#idleTime) this.#retire(process);
    }
    const isAlone = this.#inUse().length === 0;
    if (isAlone && this.#spare && now - this.#spare.idleSince > this.#idleTime) {
      this.#spare.stop();
      this.#spare = undefined;
    }
  }

  /** Nobody new comes to it; it ends with its last socket. */
  #retire(process: PluginProcess): void {
    for (const [plugin, serving] of this.#byPlugin) if (serving === process) this.#byPlugin.delete(plugin);
    process.retire();
  }

  #find(plugin: string): PluginProcess | undefined {
    const found = this.#byPlugin.get(plugin);
    return found?.hasEnded === false ? found : undefined;
  }

  get #idleTime(): number {
    return this.#options.idleTime ?? 10 * 60_000;
  }

  #inUse(): PluginProcess[] {
    return [...new Set(this.#byPlugin.values())].filter(({ hasEnded }) => !hasEnded);
  }

  get #maxProcesses(): number {
    return this.#options.maxProcesses ?? 8;
  }
}
