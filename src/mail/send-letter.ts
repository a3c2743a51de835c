import { toBase64 } from "../lib/base64.ts";
import type { ConnectMail } from "../ports.ts";
import { composeMessage, type Letter } from "./compose-message.ts";
import { MailFailure } from "./mail-failure.ts";
import type { MailSecurity, MailStep, MailTestResult } from "./schema.ts";
import type { Sender } from "./sender.ts";
import { type Reply, SmtpConnection } from "./smtp-connection.ts";

/** Where e-mails are handed over. */
export interface MailServer {
  host: string;
  port: number;
  security: MailSecurity;
  /** "" for none. */
  user: string;
  password: string;
  from: Sender;
}

/** Longest conversation, in milliseconds. */
const maxConversationMs = 30_000;

/** The outcome of a conversation, for those who look for what is wrong. */
export interface Sent {
  /** Undefined if the server took the message. */
  failure: MailFailure | undefined;
  conversation: MailTestResult["conversation"];
}

/**
 * Hands one e-mail over to the mail server (RFC 5321). worker-mailer and nodemailer open their sockets themselves; ours comes from
 * the runtime's port, because on one machine only that way leads to private addresses.
 * @param id of the message: the same for each attempt
 * @param signal ends it
 */
export async function sendLetter(
  connect: ConnectMail,
  server: MailServer,
  letter: Letter,
  { id, signal }: { id: string; signal?: AbortSignal },
): Promise<Sent> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException("Too late", "TimeoutError")), maxConversationMs);
  const ending = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  let connection: SmtpConnection | undefined;
  try {
    const socket = await open(connect, server, ending);
    connection = new SmtpConnection(socket, ending);
    await converse(connection, server, letter, id);
    return { failure: undefined, conversation: connection.conversation };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const failure =
      error instanceof MailFailure
        ? error
        : new MailFailure("connect", "The mail server cannot be reached", { cause: error });
    return { failure, conversation: connection?.conversation ?? [] };
  } finally {
    clearTimeout(timer);
    connection?.close();
  }
}

async function open(connect: ConnectMail, { host, port, security }: MailServer, signal: AbortSignal) {
  const socket = connect({ host, port, security });
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  try {
    await Promise.race([socket.opened, late]);
    return socket;
  } catch (error) {
    socket.close().catch(() => undefined);
    const hint =
      security === "tls"
        ? "Check the name, the port and the certificate; with STARTTLS the port is usually 587"
        : "Check the name and the port, and that nothing between blocks it";
    const what = signal.aborted ? "did not answer in time" : "cannot be reached";
    throw new MailFailure("connect", `${host} ${what} on port ${port}. ${hint}`, { cause: error });
  }
}

async function converse(connection: SmtpConnection, server: MailServer, letter: Letter, id: string): Promise<void> {
  expect(await connection.read("greeting"), 220, "greeting", "The mail server refuses to talk");
  let offers = await hello(connection, server);
  if (server.security === "starttls") {
    if (!offers.has("STARTTLS"))
      throw new MailFailure(
        "tls",
        "The mail server does not offer STARTTLS. Choose another kind of encryption or another port",
      );
    expect(await connection.ask("tls", "STARTTLS"), 220, "tls", "The mail server refuses to encrypt");
    await connection.startTls();
    offers = await hello(connection, server);
  }
  if (server.user !== "") await login(connection, server, offers);
  const needsUnicode = !isAscii(letter.to) || !isAscii(server.from.address);
  if (needsUnicode && !offers.has("SMTPUTF8"))
    throw new MailFailure(
      "recipient",
      `The mail server cannot send to addresses with letters such as in ${letter.to}`,
      { isFinal: true },
    );
  const option = needsUnicode ? " SMTPUTF8" : "";
  const { address } = server.from;
  expect(
    await connection.ask("sender", `MAIL FROM:<${address}>${option}`),
    250,
    "sender",
    `The mail server refuses the sender ${address}`,
  );
  const taken = await connection.ask("recipient", `RCPT TO:<${letter.to}>`);
  expect(taken, [250, 251, 252], "recipient", `The mail server refuses the recipient ${letter.to}`);
  expect(await connection.ask("message", "DATA"), 354, "message", "The mail server refuses the message");
  const message = composeMessage(letter, server.from, { id, date: Date.now() });
  await connection.write("message", `${message}.\r\n`, "(the message)");
  expect(await connection.read("message"), 250, "message", "The mail server refuses the message");
  // It is taken: what becomes of the rest is nobody's matter.
  await connection.ask("message", "QUIT").catch(() => undefined);
}

/** @returns what the server offers: names of extensions, those of `AUTH` as `AUTH PLAIN`. */
async function hello(connection: SmtpConnection, { from }: MailServer): Promise<Set<string>> {
  const name = from.address.slice(from.address.lastIndexOf("@") + 1);
  const reply = await connection.ask("greeting", `EHLO ${isAscii(name) ? name : "parley"}`);
  expect(reply, 250, "greeting", "The mail server refuses the greeting");
  const offers = new Set<string>();
  for (const line of reply.lines.slice(1)) {
    const [keyword = "", ...values] = line.trim().toUpperCase().split(/[ =]+/);
    offers.add(keyword);
    if (keyword === "AUTH") for (const value of values) offers.add(`AUTH ${value}`);
  }
  return offers;
}

async function login(connection: SmtpConnection, { user, password }: MailServer, offers: Set<string>): Promise<void> {
  const refused = "The mail server refuses the user name or the password";
  const encode = (text: string) => toBase64(new TextEncoder().encode(text));
  if (offers.has("AUTH PLAIN")) {
    const reply = await connection.ask("login", `AUTH PLAIN ${encode(`\0${user}\0${password}`)}`, "AUTH PLAIN ***");
    return expect(reply, 235, "login", refused);
  }
  if (!offers.has("AUTH LOGIN"))
    throw new MailFailure(
      "login",
      "The mail server does not offer to sign in with a password here. Leave the user name empty, or choose another kind of encryption",
    );
  expect(await connection.ask("login", "AUTH LOGIN"), 334, "login", refused);
  expect(await connection.ask("login", encode(user), "***"), 334, "login", refused);
  expect(await connection.ask("login", encode(password), "***"), 235, "login", refused);
}

/** @throws MailFailure with what the server said; for good where its code begins with 5 and the message itself is refused */
function expect({ code, lines }: Reply, wanted: number | readonly number[], step: MailStep, what: string): void {
  if ([wanted].flat().includes(code)) return;
  const said = `${code} ${lines.join(" ")}`.trim().slice(0, 300);
  const isFinal = code >= 500 && (step === "recipient" || step === "message");
  throw new MailFailure(step, `${what}. It says: ${said}`, { isFinal });
}

function isAscii(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}
