/** Something that is not as it should be. */
export interface Finding {
  /** Which check found it. */
  check: string;
  /** What is wrong, and what that means, in a line. */
  found: string;
  /** What `--fix` does, or what a person has to do. */
  advice: string;
  /** Mends it here, in the data folder. */
  fix?: () => void;
  /** What the running service is asked to mend. */
  repair?: "jobs" | "objects" | "passages" | "vectors";
  /** For `objects`: their keys. */
  objects?: string[];
}
