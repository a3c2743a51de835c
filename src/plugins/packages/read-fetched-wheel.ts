import { AppError } from "../../errors.ts";
import { findTakenModule } from "./built-in.ts";
import { isSameVersion } from "./python-version.ts";
import { readWheel } from "./read-wheel.ts";
import type { WheelIndex } from "./wheel-index.ts";

/**
 * Reads a wheel that somebody else chose, and checks that it is the package that was asked for.
 * @throws AppError `plugin_invalid`, also for one that would take the place of a built-in module; `payload_too_large`
 */
export function readFetchedWheel(
  { name, version, filename }: { name: string; version: string; filename: string },
  bytes: Uint8Array,
): WheelIndex {
  const wheel = readWheel(filename, bytes);
  if (wheel.name !== name || !isSameVersion(wheel.version, version))
    throw new AppError("plugin_invalid", `${filename} contains ${wheel.name} ${wheel.version}, not ${name} ${version}`);
  const taken = findTakenModule(name, wheel.index.modules);
  if (taken)
    throw new AppError(
      "plugin_invalid",
      `${name} ${version} would take the place of the module ${taken.module}, which belongs to ${taken.owner}`,
    );
  return wheel.index;
}
