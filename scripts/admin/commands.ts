import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { writeCsvObjects } from "hucre/csv";
import type { ImportResult } from "../../src/people/operator/schema.ts";
import { replaceRing } from "../launch/data-folder.ts";
import { StartError } from "../launch/start-error.ts";
import { openReadOnly } from "./open-read-only.ts";
import { type PersonRow, readPeople } from "./read-people.ts";
import type { RunningService } from "./running-service.ts";

/** What a command has been given. */
export interface Call {
  dataDir: string;
  /** Words after the name of the command. */
  words: string[];
  options: { name?: string; "password-stdin"?: boolean; passwords?: string; administrator?: boolean };
  /** Looked for when it is needed. */
  service(): Promise<RunningService>;
  say(line: string): void;
}

export interface Command {
  usage: string;
  what: string;
  run(call: Call): Promise<void>;
}

/** People that one request creates: few enough for a progress line every second. */
const maxInRequest = 50;

export const commands: Readonly<Record<string, Command>> = {
  "add-person": {
    usage: "add-person EMAIL [--name NAME] [--administrator] [--password-stdin]",
    what: "creates an account and prints its password",
    async run(call) {
      const email = wordOf(call, "an e-mail address");
      const password = await readPassword(call);
      const person = {
        email,
        name: call.options.name ?? email.split("@", 1)[0]!,
        ...(call.options.administrator ? { role: "admin" } : {}),
        ...(password === undefined ? {} : { password }),
      };
      const [result] = await importPeople(await call.service(), [person]);
      if (result!.status === "exists") throw new StartError(`${result!.email} has an account already.`, "data");
      if (result!.status === "failed") throw new StartError(`${result!.reason}.`, "data");
      call.say(`Created ${result!.email}.${result!.password === undefined ? "" : ` Password: ${result!.password}`}`);
    },
  },
  "reset-password": {
    usage: "reset-password EMAIL [--password-stdin]",
    what: "sets a new password, prints it, and ends the person's sessions",
    async run(call) {
      const email = wordOf(call, "an e-mail address");
      const password = await readPassword(call);
      const service = await call.service();
      const body = { email, ...(password === undefined ? {} : { password }) };
      const result = await service.post<{ email: string; password?: string }>("people/password", body);
      call.say(`${result.email} has a new password${result.password === undefined ? "." : `: ${result.password}`}`);
    },
  },
  "reset-link": {
    usage: "reset-link EMAIL",
    what: "prints a link with which the person sets a new password; it works once, for a day",
    async run(call) {
      const email = wordOf(call, "an e-mail address");
      const service = await call.service();
      const result = await service.post<{ email: string; link: string }>("people/reset-link", { email });
      call.say(`Send this link to ${result.email}: ${result.link}`);
    },
  },
  "reset-second-factor": {
    usage: "reset-second-factor EMAIL",
    what: "removes the authenticator app, passkeys and recovery codes of a person who has lost them",
    async run(call) {
      const email = wordOf(call, "an e-mail address");
      const service = await call.service();
      const result = await service.post<{ email: string }>("people/second-factor", { email });
      call.say(`${result.email} has no second factor now.`);
    },
  },
  "make-administrator": {
    usage: "make-administrator EMAIL",
    what: "makes a person an administrator, and their account active",
    async run(call) {
      const email = wordOf(call, "an e-mail address");
      const service = await call.service();
      const result = await service.post<{ email: string }>("people/administrator", { email });
      call.say(`${result.email} is an administrator now.`);
    },
  },
  "import-people": {
    usage: "import-people FILE.csv [--passwords FILE]",
    what: "creates the accounts of a list; those that exist stay as they are",
    run: importFile,
  },
  "rotate-keys": {
    usage: "rotate-keys",
    what: "adds a key to the ring of DATA and makes it the current one, from the next start on",
    async run({ dataDir, words, say }) {
      if (words.length > 0) throw new StartError(`rotate-keys takes no arguments.`, "usage");
      const name = replaceRing(dataDir, (ring) => {
        const added = `k${Date.now().toString(36)}`;
        return { current: added, keys: { ...ring.keys, [added]: randomBytes(32).toString("base64") } };
      });
      say(`${name} is the current key from the next start on. The old keys stay: they open what they have sealed.`);
    },
  },
  sql: {
    usage: 'sql "SELECT ..."',
    what: "asks the database of DATA, also while it runs; it can only read. One JSON object for each row",
    async run({ dataDir, words, say }) {
      const query = words.length === 0 ? await text(process.stdin) : words.join(" ");
      for (const row of openReadOnly(dataDir, query)) say(JSON.stringify(row));
    },
  },
};

async function importFile(call: Call): Promise<void> {
  const file = wordOf(call, "a file");
  const people = readPeople(readFile(file));
  const passwords = call.options.passwords;
  if (passwords === undefined && people.some(({ person }) => !person.password && !person.without_password)) {
    throw new StartError(
      `Some people have no password in ${file}: name a file for those that are made, with --passwords FILE.`,
      "usage",
    );
  }
  if (passwords !== undefined && existsSync(passwords))
    throw new StartError(`${passwords} is there already. Name a new file, so that no passwords are lost.`, "usage");
  const service = await call.service();
  // Before the first account, so that no password is made that cannot be written down.
  if (passwords !== undefined) writeFileSync(passwords, "", { mode: 0o600, flag: "wx" });
  const counts = { created: 0, exists: 0, failed: 0 };
  const made: { email: string; password: string }[] = [];
  for (let start = 0; start < people.length; start += maxInRequest) {
    const part = people.slice(start, start + maxInRequest);
    const results = await importPeople(
      service,
      part.map(({ person }) => person),
    );
    for (const [index, result] of results.entries()) {
      counts[result.status] += 1;
      if (result.status === "failed") call.say(`Row ${part[index]!.row}, ${result.email}: ${result.reason}`);
      if (result.password !== undefined) made.push({ email: result.email, password: result.password });
    }
    if (passwords !== undefined) writeFileSync(passwords, writeCsvObjects(made, { columns: ["email", "password"] }));
    call.say(`${start + part.length} of ${people.length}`);
  }
  call.say(`Created ${counts.created}, existed already ${counts.exists}, failed ${counts.failed}.`);
  if (counts.failed > 0)
    throw new StartError("Some people could not be imported. Correct their rows, and run this again.", "data");
}

async function importPeople(service: RunningService, people: PersonRow["person"][]): Promise<ImportResult[]> {
  return (await service.post<{ people: ImportResult[] }>("people", { people })).people;
}

function wordOf({ words }: Call, what: string): string {
  const [word, ...others] = words;
  if (word === undefined || others.length > 0) throw new StartError(`This command takes ${what}.`, "usage");
  return word;
}

/** Not as an argument, which everybody on the machine sees. */
async function readPassword({ options }: Call): Promise<string | undefined> {
  if (!options["password-stdin"]) return undefined;
  return (await text(process.stdin)).replace(/\r?\n$/, "");
}

function readFile(file: string): string {
  try {
    return readFileSync(path.resolve(file), "utf8");
  } catch (error) {
    throw new StartError(`${file} cannot be read (${(error as Error).message}).`, "noInput");
  }
}
