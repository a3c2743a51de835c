import { spawn } from "node:child_process";
import process from "node:process";
import { complain } from "./say.ts";

/** systemd's own program: Node has no datagram sockets of Unix. It comes with systemd, so it is where somebody listens. */
const program = "systemd-notify";

/**
 * Tells systemd how the service is (https://www.freedesktop.org/software/systemd/man/sd_notify.html), when systemd started it with
 * `Type=notify`. Nothing is sent otherwise. The unit needs `NotifyAccess=all`, because a child of the launcher sends.
 */
export class ServiceManager {
  readonly #socket = process.env["NOTIFY_SOCKET"] ?? "";
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;

  /** The service can be reached. From now on systemd is told that the launcher is alive, if it wants to know. */
  ready(): void {
    this.#tell("READY=1");
    const everyMs = keepAliveMs(process.env, process.pid);
    if (everyMs !== undefined) this.#timer = setInterval(() => this.#tell("WATCHDOG=1"), everyMs).unref();
  }

  /** Answers may still take a while to end; until then it goes on saying that it is alive. */
  stopping(): void {
    this.#tell("STOPPING=1");
  }

  #tell(state: string): void {
    if (this.#socket === "") return;
    const child = spawn(program, [state], {
      stdio: "ignore",
      env: { PATH: process.env["PATH"], NOTIFY_SOCKET: this.#socket },
    });
    child.once("error", (error) => this.#fail(error.message));
    child.once("exit", (code) => {
      if (code !== 0) this.#fail(`${program} ended with code ${code}`);
    });
  }

  /** Once, not with every sign of life. */
  #fail(reason: string): void {
    clearInterval(this.#timer);
    if (!this.#hasFailed) complain(`systemd could not be told how Parley is: ${reason}`);
    this.#hasFailed = true;
  }
}

/** Half of what systemd waits, as it recommends; undefined when it does not watch this process. */
export function keepAliveMs(env: NodeJS.ProcessEnv, pid: number): number | undefined {
  const microseconds = Number(env["WATCHDOG_USEC"]);
  const watched = env["WATCHDOG_PID"] ?? String(pid);
  return microseconds > 0 && watched === String(pid) ? microseconds / 2000 : undefined;
}
