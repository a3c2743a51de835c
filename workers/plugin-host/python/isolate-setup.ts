/** The data that differs between Python isolates, besides the bytes of packages. */
export interface IsolateSetup {
  /** The plugin's source. */
  code: string;
  /** JSON of what the administrator set. */
  valves: string;
  /** Names that uploaded packages are imported by. */
  modules: string[];
  /** Files of uploaded packages in `packages.bin`: path, where it begins, how long it is. */
  files: [path: string, start: number, length: number][];
}
