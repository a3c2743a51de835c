import { mkdirSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { leaseMs } from "../../src/jobs/limits.ts";
import type { MachineFigures } from "../../src/machine/schema.ts";
import { Assembler } from "./assemble.ts";
import { Backups } from "./backups/backups.ts";
import { ensureUi, ensureWorkers, linkUi, stopBuilds } from "./build.ts";
import { everyMinute } from "./cron.ts";
import { type DataFolder, openDataFolder, openSecrets, type Secrets } from "./data-folder.ts";
import { findSqld, planDatabaseProcess } from "./database-process.ts";
import { DiskUse } from "./disk/disk-use.ts";
import { drain } from "./drain.ts";
import { startFiguresServer } from "./figures/figures-server.ts";
import { type ProcessGroup, readProcesses } from "./figures/read-processes.ts";
import { createFirstAdministrator } from "./first-administrator.ts";
import { clientAddressHeader, publicOriginHeader } from "./front/forward.ts";
import { type Front, startFront } from "./front/front.ts";
import { Guard, killLeftovers } from "./guard.ts";
import { lockDataFolder } from "./instance-lock.ts";
import { formatAddress, type LaunchOptions } from "./launch-options.ts";
import { brokenDatabase, migrateDatabase } from "./migrate-database.ts";
import { createOnDemandHost, documents, passwords } from "./on-demand/host.ts";
import { createPluginHost } from "./plugins/plugin-host.ts";
import { claimPort, findFreePort, type HeldPort } from "./ports.ts";
import { type BuiltWorker, machineFile } from "./runtime-plan.ts";
import { planRuntimeProcess, triggerCron } from "./runtime-process.ts";
import { complain, say, step } from "./say.ts";
import { makeScratchFolder } from "./scratch-folder.ts";
import { firstLine } from "./start-error.ts";
import { SupervisedProcess } from "./supervised-process.ts";
import { extractorWorker, passwordsWorker, pluginHostWorker, serviceWorker } from "./topology.ts";
import { Confinement } from "./workerd/confinement.ts";
import type { WorkerHost } from "./workerd/worker-host.ts";

interface Built {
  assets: string;
  service: BuiltWorker;
  pluginHost: BuiltWorker;
  extractor: BuiltWorker;
  passwords: BuiltWorker;
}

/** When what was deleted is given back to the disk: every hour. */
const compaction = "17 * * * *";

/** Where the service finds what the front says. */
const frontHeaders = { CLIENT_ADDRESS_HEADER: clientAddressHeader, PUBLIC_ORIGIN_HEADER: publicOriginHeader };

const loopback = "127.0.0.1";

/** What an instance has before anything is started. */
interface Taken {
  folder: DataFolder;
  secrets: Secrets;
  scratch: string;
  held: HeldPort;
  /** Behind the front. */
  heldInside: HeldPort;
}

/** Parley on this machine: the database and the runtime, with one data folder. */
export class Instance {
  readonly #options: LaunchOptions;
  readonly #folder: DataFolder;
  readonly #secrets: Secrets;
  readonly #held: HeldPort;
  readonly #heldInside: HeldPort;
  readonly #scratch: string;
  readonly #guard: Guard;
  readonly #confinement: Confinement;
  readonly #plugins: WorkerHost;
  readonly #extractor: WorkerHost;
  readonly #passwords: WorkerHost;
  readonly #disk: DiskUse;
  readonly #backups: Backups;
  readonly #giveUp: (message: string) => void;
  readonly #processes: SupervisedProcess[] = [];
  readonly #configuration: { current: Buffer } = { current: Buffer.alloc(0) };
  #bindings: Record<string, string> = {};
  #crons: readonly string[] = [];
  #runtime: SupervisedProcess | undefined;
  #database: SupervisedProcess | undefined;
  /** Where workerd listens. */
  readonly #address: { host: string; port: number };
  #front: Front | undefined;

  private constructor(options: LaunchOptions, taken: Taken, giveUp: (message: string) => void) {
    const { folder } = taken;
    this.#options = options;
    this.#folder = folder;
    this.#secrets = taken.secrets;
    this.#held = taken.held;
    this.#heldInside = taken.heldInside;
    this.#address = { host: loopback, port: taken.heldInside.port };
    this.#giveUp = giveUp;
    this.#scratch = taken.scratch;
    this.#backups = new Backups(options.backups, options.dataDir);
    this.#disk = new DiskUse(folder, options.backups.to.startsWith("s3://") ? undefined : options.backups.to);
    this.#guard = new Guard(folder.childrenFile, this.#scratch);
    this.#confinement = new Confinement([options.dataDir], this.#scratch);
    this.#plugins = createPluginHost(this.#scratch, this.#guard, this.#confinement, options.plugins);
    this.#extractor = createOnDemandHost(documents, this.#scratch, this.#guard, this.#confinement);
    this.#passwords = createOnDemandHost(passwords, this.#scratch, this.#guard, this.#confinement);
  }

  /**
   * Takes the data folder and the port, and reads the secrets. Nothing is started yet.
   * @param giveUp called when a part of the running instance keeps failing
   * @throws StartError when folder or port are taken or cannot be used
   */
  static async claim(options: LaunchOptions, giveUp: (message: string) => void): Promise<Instance> {
    const folder = openDataFolder(options.dataDir);
    let { port } = options;
    await lockDataFolder(options.dataDir, () => `http://${formatAddress(options.host, port)}${options.basePath}`);
    await killLeftovers(folder.childrenFile);
    findSqld();
    const held = await claimPort(options.host, options.port);
    ({ port } = held);
    const heldInside = await claimPort(loopback, 0);
    const secrets = openSecrets(folder, process.env, options.newKeys);
    const scratch = await makeScratchFolder();
    return new Instance({ ...options, port }, { folder, secrets, scratch, held, heldInside }, giveUp);
  }

  /** Where people reach the service. */
  get url(): string {
    return `http://${formatAddress(this.#options.host, this.#options.port)}${this.#options.basePath}`;
  }

  /** Where workerd itself listens, behind the front. */
  get runtimeUrl(): string {
    return `http://${formatAddress(this.#address.host, this.#address.port)}${this.#options.basePath}`;
  }

  /**
   * Builds what is out of date, starts everything and waits until /health is 200.
   * @param assembler which has been checking the settings meanwhile
   * @param commit what the sources are of
   * @returns the service that runs
   */
  async start(assembler: Assembler, commit: string | null): Promise<BuiltWorker> {
    const building = this.#build();
    const [built] = await Promise.all([
      building,
      this.#startDatabase(assembler.check(), building),
      this.#confinement.probe(),
    ]);
    const confined = { PROCESS_CONFINEMENT: this.#confinement.level };
    const front = this.#options.dev ? {} : frontHeaders;
    this.#bindings = {
      ...this.#bindings,
      ...confined,
      ...front,
      ...(commit === null ? {} : { PARLEY_COMMIT: commit }),
    };
    this.#crons = built.service.crons;
    await step("Service started", async () => {
      // Plugins have a way out of their own.
      if (this.#options.aside === undefined) await this.#plugins.start(built.pluginHost);
      await this.#extractor.start(built.extractor);
      await this.#passwords.start(built.passwords);
      this.#configuration.current = await this.#assemble(assembler, built);
      await this.#startRuntime();
      await this.#createFirstAdministrator();
      await this.#held.release();
      // Under `npm run dev` Vite keeps the public address.
      if (!this.#options.dev) this.#front = await startFront(this.#options, this.#address, this.#options.front);
    });
    say(`  What processes for plugins, documents and passwords lack: ${this.#confinement.words}`);
    if (this.#options.aside === undefined) this.#keepTime();
    return built.service;
  }

  #keepTime(): void {
    everyMinute(this.#crons, (cron) => void this.#fire(cron));
    everyMinute(["* * * * *"], () => {
      this.#backups.tick();
      this.#disk.tidy();
    });
    everyMinute([compaction], () => {
      this.#disk
        .compact()
        .catch((error: unknown) => complain(`The database was not compacted: ${firstLine(String(error))}`));
    });
  }

  /** Builds again what changed and puts it in place of what runs. */
  async reload(): Promise<void> {
    const assembler = new Assembler();
    try {
      const building = this.#build();
      const [built] = await Promise.all([building, migrateDatabase(this.#folder, this.#bindings, building)]);
      this.#configuration.current = await this.#assemble(assembler, built);
      this.#plugins.replace(built.pluginHost);
      this.#extractor.replace(built.extractor);
      this.#passwords.replace(built.passwords);
      await this.#runtime?.replace();
    } catch (error) {
      assembler.stop();
      throw error;
    }
  }

  /** Waits until answers have ended, before a stop. */
  async drain(): Promise<void> {
    if (this.#options.stopTimeoutMs === 0 || this.#runtime === undefined) return;
    await drain(this.#front, this.runtimeUrl, this.#secrets.PARLEY_SECRET_KEYS, this.#options.stopTimeoutMs);
  }

  /** Stops everything in the order of use, within 2 s. */
  async stop(): Promise<void> {
    stopBuilds();
    this.#backups.stop();
    this.#front?.close();
    for (const part of this.#processes.toReversed()) await part.stop();
    this.#plugins.stop();
    this.#extractor.stop();
    this.#passwords.stop();
    this.#guard.close();
  }

  async #build(): Promise<Built> {
    const build = async () => {
      const configs = [pluginHostWorker, extractorWorker, passwordsWorker, serviceWorker];
      const [pluginHost, extractor, passwords, service] = await ensureWorkers(configs);
      return { service: service!, pluginHost: pluginHost!, extractor: extractor!, passwords: passwords! };
    };
    if (this.#options.dev) {
      // Vite serves the UI from its sources.
      const assets = path.join(this.#scratch, "no-assets");
      mkdirSync(assets, { recursive: true });
      return { assets, ...(await step("Service is built", build)) };
    }
    return step("Web UI and service are built", async () => {
      const [assets, built] = await Promise.all([ensureUi(), build()]);
      linkUi(assets);
      return { assets, ...built };
    });
  }

  /**
   * @param checked the settings are right
   * @param built as is the checkout: nothing is migrated when one of them rejects
   */
  async #startDatabase(checked: Promise<void>, built: Promise<Built>): Promise<void> {
    // Known before anybody waits for it, it must not end the process.
    checked.catch(() => undefined);
    await step("Database started and migrated", async () => {
      const port = await findFreePort();
      this.#bindings = { DB_URL: `http://127.0.0.1:${port}`, ...this.#secrets, LOOKUP_GATE: "near" };
      const started = this.#supervise(planDatabaseProcess(this.#folder, port)).catch((error: unknown) => {
        throw brokenDatabase(this.#folder, error instanceof Error ? error.message : String(error));
      });
      [this.#database] = await Promise.all([started, checked]);
      await migrateDatabase(this.#folder, this.#bindings, built);
    });
  }

  /** Before strangers can reach the service: the first one to sign up would become its administrator. */
  async #createFirstAdministrator(): Promise<void> {
    const { administrator } = this.#options;
    if (administrator === undefined) return;
    const { created } = await createFirstAdministrator(
      this.runtimeUrl,
      this.#secrets.PARLEY_SECRET_KEYS,
      administrator,
    );
    if (created) say(`  Created the administrator ${administrator.email}`);
  }

  #assemble(assembler: Assembler, { assets, service }: Built): Promise<Buffer> {
    const scratch = path.join(this.#scratch, "state");
    mkdirSync(scratch, { recursive: true });
    return assembler.assemble({
      assets,
      service,
      machine: path.join(path.dirname(service.modulesRoot), machineFile),
      ...this.#address,
      sockets: {
        PLUGIN_HOST: this.#plugins.socket,
        EXTRACTOR: this.#extractor.socket,
        PASSWORDS: this.#passwords.socket,
        LAUNCHER: this.#figuresSocket,
      },
      state: this.#folder.state,
      scratch,
      asideProvider: this.#options.aside?.provider ?? null,
      bindings: this.#bindings,
      output: path.join(this.#scratch, "workerd.bin"),
    });
  }

  async #startRuntime(): Promise<void> {
    const configuration = this.#configuration;
    await startFiguresServer(this.#figuresSocket, {
      "GET /figures": () => this.#readFigures(),
      "GET /free": async () => ({ freeBytes: await this.#disk.freeBytes() }),
      "POST /backups": () => {
        this.#backups.start();
        return {};
      },
      "POST /compactions": async () => ({ freedBytes: await this.#disk.compact() }),
    });
    const plan = planRuntimeProcess({
      configuration: () => configuration.current,
      state: this.#folder.state,
      health: this.#address,
      controlSocket: this.#controlSocket,
      inspectorPort: this.#options.inspectorPort,
    });
    await this.#heldInside.release();
    this.#runtime = await this.#supervise({
      ...plan,
      untilReady: async (signal) => {
        await plan.untilReady(signal);
        if (this.#options.aside === undefined) this.#catchUp();
      },
    });
  }

  /** What workerd was at when it ended is done again as soon as nobody is believed to do it, not by the next minute. */
  #catchUp(): void {
    setTimeout(() => this.#crons.forEach((cron) => void this.#fire(cron)), leaseMs + 500).unref();
  }

  get #figuresSocket(): string {
    return path.join(this.#scratch, "figures.sock");
  }

  async #readFigures(): Promise<MachineFigures> {
    const supervised = (part: "service" | "database", found: SupervisedProcess | undefined): ProcessGroup => ({
      part,
      pids: [found?.pid],
      restarts: found?.restarts ?? 0,
      silences: found?.silences ?? 0,
    });
    const [processes, disk] = await Promise.all([
      readProcesses([
        { part: "launcher", pids: [process.pid], restarts: 0, silences: null },
        supervised("service", this.#runtime),
        supervised("database", this.#database),
        { part: "passwords", pids: this.#passwords.pids, restarts: null, silences: null },
        { part: "plugins", pids: this.#plugins.pids, restarts: null, silences: null },
        { part: "documents", pids: this.#extractor.pids, restarts: null, silences: null },
      ]),
      this.#disk.read(),
    ]);
    return { connections: this.#front?.connections ?? null, processes, disk, backups: this.#backups.figures };
  }

  get #controlSocket(): string {
    return path.join(this.#scratch, "control.sock");
  }

  async #supervise(plan: ConstructorParameters<typeof SupervisedProcess>[0]): Promise<SupervisedProcess> {
    const part = new SupervisedProcess(plan, this.#guard, this.#giveUp);
    this.#processes.push(part);
    await part.start();
    return part;
  }

  async #fire(cron: string): Promise<void> {
    try {
      const answer = await triggerCron(this.#controlSocket, cron);
      if (answer !== "ok") complain(`The scheduled work of ${cron} failed: ${answer}`);
    } catch (error) {
      // While workerd is started again there is nobody to ask; the next minute does.
      complain(`The scheduled work of ${cron} could not be started: ${(error as Error).message}`);
    }
  }
}
