/** A piece of what code printed. */
export interface OutputPiece {
  stream: "stdout" | "stderr";
  text: string;
}

export interface CodeFailure {
  name: string;
  message: string;
  /** In the code, counted from 1. */
  line: number | undefined;
  traceback: string;
}

/** A file that code wrote, which is kept nowhere yet. */
export interface CodeFile {
  name: string;
  type: string;
  /** Bytes. */
  size: number;
  base64: string;
}

/** How a run has ended. */
export interface CodeEnd {
  result: string;
  failure: CodeFailure | undefined;
  files: readonly CodeFile[];
  leftOut: readonly string[];
}

/** Most that is shown of what code prints, in UTF-16 units. */
export const maxShown = 200_000;

/** Runs code until it ends or `signal` aborts. Rejects only where the service or the frame cannot be reached. */
export type RunCode = (
  code: string,
  options: { signal: AbortSignal; onOutput: (piece: OutputPiece) => void; fileIds: readonly string[] },
) => Promise<CodeEnd>;
