import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Guard } from "../guard.ts";
import { complain } from "../say.ts";
import { Configuration } from "../workerd/configuration.ts";
import type { Confine } from "../workerd/workerd-child.ts";
import { Pauses } from "./pauses.ts";
import { type Limits, PluginProcess, usualLimits } from "./plugin-process.ts";

export interface PoolOptions {
  /** As compileHostConfig makes it; asked for when the first process starts. */
  configuration(): Promise<Buffer>;
  /** Folder for sockets, which only this user may enter. */
  folder: string;
  guard: Guard;
  confine?: Confine;
  limits?: Limits;
  /** So many processes, the spare not counted. */
  maxProcesses?: number;
  /** How long processes and isolates stay without a socket, in ms. */
  idleMs?: number;
  /** So many isolates of Python stay warm in one process. */
  warmIsolates?: number;
  /** Until the next spare is started when one was taken, in ms. */
  spareDelayMs?: number;
}

type Acquired = { process: PluginProcess; release: () => void };

/** A process that has seen several versions and is larger than this makes room for a fresh one, which has only the latest. */
const renewAboveBytes = 450e6;
/** One that is larger than this part of what it may have, though it has only the latest, begins again as well. */
const nearLimit = 0.85;
const tidyIntervalMs = 15_000;
export const usualIdleMs = 5 * 60_000;
export const usualWarmIsolates = 8;
/** A process takes in so many plugins of one owner; further ones begin another. */
const maxPlugins = 32;
/** What only looks at sources is not kept for long, in ms. */
const describerIdleMs = 10_000;
/** Owners that come when all processes are busy get some of their own, up to so many times the usual number. */
const maxOvercrowding = 3;
/** Descriptions are asked for under this name. */
const describing = "describe";
/**
 * They have a few processes, each for one at a time: a source that does not let go is nobody else's concern. Only where all are
 * taken for longer than such a source is let be (ms), by some that wait, they share.
 */
const describers = ["describe 1", "describe 2", "describe 3"];
const describerTimeoutMs = 8000;

/**
 * The processes of the plugin host: plugins of one owner share one, and those that may have been why one was stopped have
 * their own for a while. They start on demand; once plugins are in use, one spare process is ready.
 */
export class PluginPool {
  readonly #options: PoolOptions;
  readonly #pauses = new Pauses(() => performance.now());
  /** By wall and plugin. */
  readonly #byPlugin = new Map<string, PluginProcess>();
  readonly #all = new Set<PluginProcess>();
  /** How many descriptions each has under way. */
  readonly #describing = new Map(describers.map((name) => [name, 0]));
  readonly #forDescriber = new Set<() => void>();
  #spare: PluginProcess | undefined;
  readonly #configuration: Configuration;
  #count = 0;
  #tidying: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#configuration = new Configuration(options.configuration);
  }

  /** Milliseconds for which a plugin is not run; 0: it is. */
  pauseOf(plugin: string): number {
    return this.#pauses.remaining(plugin);
  }

  /**
   * The process that serves a plugin, ready, with a socket counted.
   * @param version what one isolate is kept for
   * @param wall plugins with the same one share processes
   * @throws Error when no process comes up
   */
  async acquire(plugin: string, version: string, wall?: string): Promise<Acquired> {
    if (plugin !== describing) return this.#acquire(plugin, version, wall);
    const name = await this.#takeDescriber();
    let isTaken = true;
    const give = () => {
      if (isTaken) this.#giveDescriber(name);
      isTaken = false;
    };
    try {
      const { process, release } = await this.#acquire(name, version, undefined);
      const releaseBoth = () => {
        release();
        give();
      };
      return { process, release: releaseBoth };
    } catch (error) {
      give();
      throw error;
    }
  }

  async #acquire(plugin: string, version: string, wall: string | undefined): Promise<Acquired> {
    const found = this.#find(plugin, wall) ?? this.#join(plugin, wall);
    if (found && found.versions.size > 1) await this.#shrink(found);
    const process = this.#find(plugin, wall) ?? (await this.#assign(plugin, wall));
    process.versions.add(`${plugin}/${version}`);
    const release = process.addSocket(plugin);
    try {
      await process.ready;
    } catch (error) {
      release();
      throw error;
    }
    return { process, release };
  }

  /** What is too large ends what nobody uses; where that is not enough, nobody new comes to it. */
  async #shrink(process: PluginProcess): Promise<void> {
    const limit = renewAbove(process);
    if ((await process.measure()) <= limit) return;
    await process.rest(0);
    if ((await process.measure()) > limit) this.#retire(process);
  }

  async #takeDescriber(): Promise<string> {
    const until = performance.now() + describerTimeoutMs;
    for (;;) {
      const [name, count] = [...this.#describing].toSorted(([, a], [, b]) => a - b)[0]!;
      const rest = until - performance.now();
      if (count === 0 || rest <= 0) {
        this.#describing.set(name, count + 1);
        return name;
      }
      const isFree = Promise.withResolvers<void>();
      this.#forDescriber.add(isFree.resolve);
      await Promise.race([isFree.promise, wait(rest, undefined, { ref: false })]);
      this.#forDescriber.delete(isFree.resolve);
    }
  }

  #giveDescriber(name: string): void {
    this.#describing.set(name, this.#describing.get(name)! - 1);
    const [first] = this.#forDescriber;
    first?.();
  }

  /** Ends all of them; those that come after get the configuration again. */
  renew(): void {
    this.#configuration.renew();
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

  async #assign(plugin: string, wall: string | undefined): Promise<PluginProcess> {
    const configuration = await this.#configuration.get();
    if (this.#isStopped) throw new Error("The plugin host is stopping");
    // Someone else may have asked meanwhile.
    const found = this.#find(plugin, wall);
    if (found) return found;
    const process =
      this.#join(plugin, wall) ?? this.#makeRoom(plugin, wall) ?? this.#takeSpare() ?? this.#start(configuration);
    process.wall = wall;
    process.plugins.add(plugin);
    this.#byPlugin.set(keyOf(plugin, wall), process);
    // What goes wrong is told by anyone who waits for the process, or for the next one.
    process.ready.then(() => this.#prepareSpare()).catch(() => undefined);
    this.#tidying ??= setInterval(() => this.#tidy(), Math.min(tidyIntervalMs, this.#idleMs)).unref();
    return process;
  }

  /** One of the same owner that has room; nobody shares with those that may have been why a process was stopped. */
  #join(plugin: string, wall: string | undefined): PluginProcess | undefined {
    if (wall === undefined || this.#pauses.isSuspect(plugin)) return undefined;
    return this.#inUse().find(
      (process) => process.wall === wall && process.plugins.size < maxPlugins && this.#isGood(process),
    );
  }

  #isGood({ plugins }: PluginProcess): boolean {
    return ![...plugins].some((each) => this.#pauses.isSuspect(each));
  }

  #takeSpare(): PluginProcess | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare?.isEnding === false ? spare : undefined;
  }

  /**
   * Undefined while there may be more processes; else the least busy one, after the idlest was ended if any is idle. Plugins that
   * may have been why a process was stopped share with nobody: half as many more processes are there for them. Owners never
   * share with each other.
   * @throws Error where there are far too many
   */
  #makeRoom(plugin: string, wall: string | undefined): PluginProcess | undefined {
    const inUse = this.#inUse();
    if (inUse.length < this.#maxProcesses) return undefined;
    const [idlest] = inUse.filter(({ sockets }) => sockets === 0).toSorted((a, b) => a.idleSince - b.idleSince);
    if (idlest) {
      this.#retire(idlest);
      return undefined;
    }
    if (this.#pauses.isSuspect(plugin) && inUse.length < this.#maxProcesses * 1.5) return undefined;
    const same = inUse.filter((process) => process.wall === wall);
    if (same.length === 0) {
      if (inUse.length < this.#maxProcesses * maxOvercrowding) return undefined;
      throw new Error("Plugins of too many owners run at the same time");
    }
    const good = same.filter((process) => this.#isGood(process));
    return (good.length > 0 ? good : same).toSorted((a, b) => a.sockets - b.sockets)[0];
  }

  #start(configuration: Buffer): PluginProcess {
    const { folder, guard, confine } = this.#options;
    const name = `p${++this.#count}`;
    const socketPath = path.join(folder, name, `${name}.sock`);
    const process = new PluginProcess(configuration, socketPath, guard, this.#limits, this.#warmIsolates, confine);
    this.#all.add(process);
    void process.ended.then((reason) => {
      this.#all.delete(process);
      this.#forget(process);
      if (reason === undefined) return;
      const suspects = process.suspects.filter((plugin) => !describers.includes(plugin));
      const who = suspects.length > 1 ? "One of the plugins" : "The plugin";
      if (suspects.length > 0) complain(`${who} ${suspects.join(", ")} was stopped: ${reason}`);
      this.#pauses.stopped(suspects);
    });
    return process;
  }

  /** A moment later: the call that took the last one, and the plugin that is being loaded for it, come first. */
  async #prepareSpare(): Promise<void> {
    await wait(this.#options.spareDelayMs ?? 1000, undefined, { ref: false });
    const configuration = await this.#configuration.get();
    if (this.#isStopped || this.#spare?.isEnding === false) return;
    this.#spare = this.#start(configuration);
  }

  #tidy(): void {
    const now = performance.now();
    for (const process of this.#inUse()) {
      if (process.sockets > 0) {
        void process.rest(this.#idleMs);
        continue;
      }
      const describes = describers.some((name) => process.plugins.has(name));
      const canShrink = process.versions.size > 1 || describes;
      // What is close to the limit while it rests would be stopped in the middle of a call.
      const limit = canShrink ? renewAbove(process) : nearLimit * (this.#limits.memory + process.allowance);
      const idleMs = describes ? Math.min(describerIdleMs, this.#idleMs) : this.#idleMs;
      if (process.rss > limit || now - process.idleSince > idleMs) this.#retire(process);
      else void process.rest(this.#idleMs);
    }
    const isAlone = this.#inUse().length === 0;
    if (isAlone && this.#spare && now - this.#spare.idleSince > this.#idleMs) {
      this.#spare.stop();
      this.#spare = undefined;
    }
  }

  /** Nobody new comes to it; it ends with its last socket. */
  #retire(process: PluginProcess): void {
    this.#forget(process);
    process.retire();
  }

  #forget(process: PluginProcess): void {
    for (const [key, serving] of this.#byPlugin) if (serving === process) this.#byPlugin.delete(key);
  }

  #find(plugin: string, wall: string | undefined): PluginProcess | undefined {
    const found = this.#byPlugin.get(keyOf(plugin, wall));
    return found?.isEnding === false ? found : undefined;
  }

  get #limits(): Limits {
    return this.#options.limits ?? usualLimits;
  }

  get #idleMs(): number {
    return this.#options.idleMs ?? usualIdleMs;
  }

  get #warmIsolates(): number {
    return this.#options.warmIsolates ?? usualWarmIsolates;
  }

  #inUse(): PluginProcess[] {
    return [...new Set(this.#byPlugin.values())].filter(({ isEnding }) => !isEnding);
  }

  get #maxProcesses(): number {
    return this.#options.maxProcesses ?? 8;
  }
}

/** What isolates take when they are warm is half of what a process may have for each. */
function renewAbove({ allowance }: PluginProcess): number {
  return renewAboveBytes + allowance / 2;
}

function keyOf(plugin: string, wall: string | undefined): string {
  return `${wall ?? ""}\n${plugin}`;
}
