import type { User } from "../../access.ts";
import type { Services } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Found } from "../find-plugin.ts";
import type { PluginEntry } from "../plugin-index.ts";

/** Addresses of the native runners that the operator has attached. */
export function attachedRunners({ environment }: Pick<Services, "environment">): readonly string[] {
  return environment.RUNNERS ?? [];
}

/**
 * Code on a runner has no sandbox around it: system administrators decide, not those of an organization.
 * @throws AppError `forbidden`; `validation_failed` for a runner that is not attached.
 */
export function checkMayRunNatively(services: Pick<Services, "environment">, user: User, runner: string): void {
  checkMaySetRunner(user);
  if (attachedRunners(services).includes(runner)) return;
  const message = `${runner} is not a runner of this service: the operator names them in RUNNERS`;
  throw new AppError("validation_failed", message, { param: "runner", issues: [{ path: "runner", message }] });
}

/**
 * Where a stored plugin runs from now on. @param runner null: in the sandbox
 * @throws AppError `forbidden`, `validation_failed`; `bad_request` for a plugin that is no administrator's, or not Python.
 */
export function checkMayMove(
  services: Pick<Services, "environment">,
  { user, entry }: Pick<Found, "user" | "entry">,
  runner: string | null,
): void {
  checkMaySetRunner(user);
  if (runner === null) return;
  checkMayRunNatively(services, user, runner);
  if (entry.language !== "python") throw new AppError("bad_request", "Only Python plugins can run natively", wrong);
  if (!entry.isTrusted) throw new AppError("bad_request", untrusted(entry), wrong);
}

/**
 * @throws AppError `plugins_disabled` for a plugin that is set to run on a runner that is not attached any more, or that is no
 *   administrator's any more
 */
export function requireRunner(
  services: Pick<Services, "environment">,
  entry: Pick<PluginEntry, "name" | "runner" | "isTrusted">,
): void {
  const { runner } = entry;
  if (runner === null) return;
  if (!entry.isTrusted) throw new AppError("plugins_disabled", untrusted(entry));
  if (attachedRunners(services).includes(runner)) return;
  throw new AppError(
    "plugins_disabled",
    `${entry.name} runs natively, on a runner that is not attached to this service any more. Ask an administrator`,
  );
}

/** Where an imported plugin ran, if that runner is attached here too and an administrator imports it; otherwise null: the sandbox. */
export function keepRunner(
  services: Pick<Services, "environment">,
  user: Pick<User, "role">,
  runner: string | null,
  notes: string[],
): string | null {
  if (runner === null || (user.role === "admin" && attachedRunners(services).includes(runner))) return runner;
  notes.push(`It ran natively on ${runner}, which is not a runner of this service: it runs in the sandbox here`);
  return null;
}

const wrong = { param: "runner" };

function untrusted({ name }: Pick<PluginEntry, "name">): string {
  return `${name} can run natively only while an administrator owns it and has saved its current version`;
}

function checkMaySetRunner(user: User): void {
  if (user.role !== "admin")
    throw new AppError("forbidden", "Only an administrator can choose where a plugin runs", wrong);
}
