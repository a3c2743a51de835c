import { writeFileSync } from "node:fs";
import path from "node:path";

/** As in sysexits.h: a service manager sees by them whether another start can help. */
export const exitCodes = {
  usage: 64,
  data: 65,
  noInput: 66,
  unavailable: 69,
  internal: 70,
  cannotCreate: 73,
  inputOutput: 74,
  tryAgain: 75,
  noPermission: 77,
  configuration: 78,
} as const;

export type FailureKind = keyof typeof exitCodes;

/** A start failure that people can do something about: its message is shown without a stack, a line for each fault. */
export class StartError extends Error {
  readonly kind: FailureKind;

  constructor(message: string, kind: FailureKind) {
    super(message);
    this.kind = kind;
  }

  get exitCode(): number {
    return exitCodes[this.kind];
  }
}

/** Gathers what is wrong, so that people are told everything at once. */
export class Faults {
  readonly #found: StartError[] = [];

  /** What `read` returns; `otherwise` if it throws a StartError, which is kept. */
  read<T>(read: () => T, otherwise: T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      this.#found.push(error);
      return otherwise;
    }
  }

  /** @throws StartError with everything that was found, if anything was */
  throwAny(): void {
    const [first, ...others] = this.#found;
    if (first === undefined) return;
    const kind = others.every((other) => other.kind === first.kind) ? first.kind : "configuration";
    throw new StartError(this.#found.map(({ message }) => message).join("\n"), kind);
  }
}

const systemKinds: Readonly<Record<string, FailureKind>> = {
  EACCES: "noPermission",
  EPERM: "noPermission",
  EROFS: "noPermission",
  ENOSPC: "inputOutput",
  EDQUOT: "inputOutput",
  EIO: "inputOutput",
  EMFILE: "tryAgain",
  ENFILE: "tryAgain",
  EAGAIN: "tryAgain",
  ENOMEM: "tryAgain",
};

/** The kind of an error of the system, by its code. */
export function kindOf(error: unknown, otherwise: FailureKind): FailureKind {
  return systemKinds[(error as NodeJS.ErrnoException).code ?? ""] ?? otherwise;
}

/**
 * What ended a start, as one line for each fault. What nobody thought of is written to a file, with its stack.
 * @param folders where that file may lie; the first one that can be written is taken
 */
export function explainFailure(error: unknown, folders: readonly string[]): StartError {
  if (error instanceof StartError) return error;
  const kind = kindOf(error, "internal");
  const words = firstLine(error instanceof Error ? error.message : String(error));
  if (kind !== "internal") {
    const advice = {
      noPermission: "Allow it to the user who starts Parley.",
      inputOutput: "Make room on the disk, or look into the system's log for errors of the disk.",
      tryAgain: "The machine has no more of something at this moment: try again later, or raise its limits.",
    }[kind as "noPermission" | "inputOutput" | "tryAgain"];
    return new StartError(`The system refused something that the start needs (${words}). ${advice}`, kind);
  }
  const file = writeStack(error, folders);
  const where = file === undefined ? "" : ` ${file} says more: please report it.`;
  return new StartError(`The start ended with an unexpected error (${words}).${where}`, kind);
}

/** The first line that says something. */
export function firstLine(text: string): string {
  return (text.split("\n").find((line) => line.trim() !== "") ?? "").trim();
}

function writeStack(error: unknown, folders: readonly string[]): string | undefined {
  const text = `${new Date().toISOString()}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
  return folders
    .map((folder) => path.join(folder, "start-error.log"))
    .find((file) => {
      try {
        writeFileSync(file, text, { mode: 0o600 });
        return true;
      } catch {
        return false;
      }
    });
}
