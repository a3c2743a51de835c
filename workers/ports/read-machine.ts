import { type MachineFigures, machineFigures } from "../../src/metrics/machine-figures.ts";

/** What the launcher tells (scripts/launch/figures/figures-server.ts). @throws Error where it does not answer */
export function readMachine(launcher: Fetcher): () => Promise<MachineFigures> {
  return async () => {
    const response = await launcher.fetch("http://launcher/figures");
    if (!response.ok) throw new Error(`The launcher answered ${response.status}`);
    return machineFigures.parse(await response.json());
  };
}
