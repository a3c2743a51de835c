import path from "node:path";
import process from "node:process";
import { findAddress } from "./admin/running-service.ts";
import { projectRoot } from "./launch/project-root.ts";
import { complain, say } from "./launch/say.ts";
import { explainFailure } from "./launch/start-error.ts";

/** parley health: whether the service that runs on DATA is ready (`GET /ready`). Exit code 0 if it is, otherwise 1. For containers. */
const timeoutMs = 5000;
try {
  const dataDir = path.resolve(projectRoot, process.env["DATA"]?.trim() || ".data");
  const response = await fetch(`${await findAddress(dataDir)}/ready`, { signal: AbortSignal.timeout(timeoutMs) });
  const said = await response.text();
  (response.ok ? say : complain)(said);
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  complain(explainFailure(error, []).message);
  process.exitCode = 1;
}
