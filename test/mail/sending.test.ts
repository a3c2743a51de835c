import fc from "fast-check";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { composeMessage } from "../../src/mail/compose-message.ts";
import type { MailStatus, MailTestResult } from "../../src/mail/schema.ts";
import { parseSender } from "../../src/mail/sender.ts";
import { ReplyReader } from "../../src/mail/smtp-connection.ts";
import { sweepMail } from "../../src/mail/sweep-mail.ts";
import { startMailServer } from "../fixtures/mail/start-mail-server.ts";
import type { Person } from "../world.ts";
import { createMailWorld, type MailWorld } from "./mail-world.ts";

let world: MailWorld;
let admin: Person;
beforeEach(async () => {
  world = await createMailWorld();
  admin = await world.admin();
});
afterEach(() => world.close());

const status = async () => (await world.call<MailStatus>("/api/v1/mail", { as: admin })).body;
const testMail = async (to = "ada@harbour.example", as: Person = admin) =>
  world.call<MailTestResult & { code: string }>("/api/v1/mail/test", { json: { to }, as });
const invite = () =>
  world.call("/api/v1/invitations", { json: { email: "ada@harbour.example", send: true }, as: admin });
const state = async () =>
  (await world.client.execute("SELECT state, attempts, error, sealed_content FROM mail_messages")).rows.map((row) => ({
    ...row,
  }));

/** The world again with another server, or other settings. */
async function again(environment: Record<string, string>): Promise<void> {
  await world.close();
  world = await createMailWorld(environment);
  admin = await world.admin();
}

describe("the outbound queue", () => {
  test("sends again until the server takes it, with one Message-ID", async () => {
    world.mail.refuse = { step: "message", code: 451, words: "Later" };
    await invite();
    await world.sendMail();
    expect(await state()).toMatchObject([
      { state: "pending", attempts: 1, error: expect.stringContaining("451") as string },
    ]);
    world.mail.refuse = undefined;
    await world.sendMail();
    expect(world.mail.received).toEqual([]);
    await world.hurryMail();
    await world.sendMail();
    expect(world.mail.received).toHaveLength(1);
    expect(await state()).toEqual([{ state: "sent", attempts: 2, error: null, sealed_content: "" }]);
    await world.hurryMail();
    await world.sendMail();
    expect(world.mail.received).toHaveLength(1);
  });

  test("gives up what the server refuses for good, and tells administrators", async () => {
    world.mail.refuse = { step: "recipient", code: 550, words: "No such mailbox" };
    await invite();
    await world.sendMail();
    expect(await state()).toMatchObject([{ state: "failed", attempts: 1, sealed_content: "" }]);
    expect(await status()).toMatchObject({
      is_on: true,
      pending: 0,
      failures: [{ kind: "invitation", error: expect.stringContaining("No such mailbox") as string }],
    });
  });

  test("waits while the server is away, and gives up when the link has ended", async () => {
    await world.mail.close();
    await invite();
    await world.sendMail();
    expect(await state()).toMatchObject([
      { state: "pending", error: expect.stringContaining("cannot be reached") as string },
    ]);
    await world.client.execute("UPDATE mail_messages SET expires_at = 1");
    await world.hurryMail();
    await world.sendMail();
    expect(await state()).toMatchObject([{ state: "failed" }]);
    await world.client.execute("UPDATE mail_messages SET created_at = 1");
    await sweepMail(world.services);
    expect(await state()).toEqual([]);
  });

  test("counts an attempt before it begins: one that was broken off is made again", async () => {
    await invite();
    await world.settled();
    await world.client.execute("UPDATE mail_messages SET attempts = 1");
    await world.sendMail();
    expect(await state()).toMatchObject([{ state: "sent", attempts: 2 }]);
  });
});

describe("the test button", () => {
  test("tells the whole conversation, encrypted, and no password", async () => {
    const server = await startMailServer({ user: { name: "parley", password: "secret-of-mail" } });
    await again({ SMTP_PORT: String(server.port), SMTP_USER: "parley", SMTP_PASSWORD: "secret-of-mail" });
    const { body } = await testMail();
    expect(body).toMatchObject({ sent: true, step: null, message: "" });
    expect(server.received).toMatchObject([{ isEncrypted: true, user: "parley", from: "parley@harbour.example" }]);
    const said = body.conversation.map(({ text }) => text).join("\n");
    expect(said).toContain("STARTTLS");
    expect(said).toContain("AUTH PLAIN ***");
    expect(said).not.toContain(btoa("\0parley\0secret-of-mail"));
    await server.close();
  });

  test("uses the password that an administrator has entered, which is stored sealed and never told", async () => {
    const server = await startMailServer({ user: { name: "parley", password: "entered-secret" } });
    await again({ SMTP_PORT: String(server.port), SMTP_USER: "parley" });
    expect((await testMail()).body).toMatchObject({ sent: false, step: "settings" });
    const put = (password: string, as: Person = admin) =>
      world.call<MailStatus>("/api/v1/mail/password", {
        method: "PUT",
        body: JSON.stringify({ password }),
        headers: { "content-type": "application/json" },
        as,
      });
    expect((await put("wrong")).body).toMatchObject({ has_password: true });
    expect((await testMail()).body).toMatchObject({
      sent: false,
      step: "login",
      message: expect.stringContaining("535") as string,
    });
    await put("entered-secret");
    expect((await testMail()).body.sent).toBe(true);
    const everything = JSON.stringify([
      (await world.client.execute("SELECT * FROM mail_passwords")).rows,
      (await world.client.execute("SELECT * FROM audit_events")).rows,
      await status(),
    ]);
    expect(everything).not.toContain("entered-secret");
    expect((await put("")).body.has_password).toBe(false);
    expect((await put("x", await world.person())).status).toBe(403);
    await server.close();
  });

  test("says where it ended, in plain words", async () => {
    world.mail.refuse = { step: "sender", code: 553, words: "Not yours" };
    expect((await testMail()).body).toMatchObject({
      sent: false,
      step: "sender",
      message: "The mail server refuses the sender parley@harbour.example. It says: 553 Not yours",
    });
    const plain = await startMailServer({ hidesStartTls: true });
    await again({ SMTP_PORT: String(plain.port) });
    expect((await testMail()).body).toMatchObject({ sent: false, step: "tls" });
    expect(plain.received).toEqual([]);
    await again({ SMTP_PORT: String(plain.port), SMTP_SECURITY: "none" });
    expect((await testMail()).body.sent).toBe(true);
    await plain.close();
    await again({ SMTP_PORT: "1", SMTP_SECURITY: "tls" });
    expect((await testMail()).body).toMatchObject({
      sent: false,
      step: "connect",
      message: expect.stringContaining("127.0.0.1 cannot be reached on port 1") as string,
    });
    await again({ SMTP_HOST: "" });
    expect((await testMail()).body).toMatchObject({ sent: false, step: "settings", conversation: [] });
  });

  test("speaks TLS from the beginning where that is set", async () => {
    const server = await startMailServer({ secure: true });
    await again({ SMTP_PORT: String(server.port), SMTP_SECURITY: "tls" });
    expect((await testMail()).body.sent).toBe(true);
    await server.close();
  });

  test("is for administrators, for addresses, and not without end", async () => {
    expect((await testMail("ada@harbour.example", await world.person())).status).toBe(403);
    expect((await testMail("nonsense\r\nRCPT TO:<eve@harbour.example>")).status).toBe(400);
    const statuses = [];
    for (let number = 0; number < 11; number++) statuses.push((await testMail()).status);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("messages", () => {
  test("survive the way, whatever their texts", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(text, text, async (subject, body) => {
        const message = composeMessage(
          { to: "ada@harbour.example", subject, text: body },
          { name: subject, address: "parley@harbour.example" },
          { id: "1", date: 0 },
        );
        const [head = ""] = message.split("\r\n\r\n");
        expect(head.split("\r\n").every((line) => /^(?:[A-Z][\w-]*: |\s)/.test(line))).toBe(true);
        expect(message.split("\r\n").every((line) => line.length <= 998 && line !== ".")).toBe(true);
        const parsed = await PostalMime.parse(message);
        expect(parsed.headers.map(({ key }) => key)).toEqual([
          "from",
          "to",
          "subject",
          "date",
          "message-id",
          "mime-version",
          "content-type",
          "content-transfer-encoding",
          "auto-submitted",
        ]);
        expect((parsed.text ?? "").replaceAll("\r\n", "\n").trimEnd()).toBe(
          body.toWellFormed().replaceAll("\r\n", "\n").trimEnd(),
        );
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ["parley@example.org", { name: "", address: "parley@example.org" }],
    ["Parley Team <parley@example.org>", { name: "Parley Team", address: "parley@example.org" }],
    ['"Parley" <parley@example.org>', { name: "Parley", address: "parley@example.org" }],
    ["parley", undefined],
    ["a@b.example\r\nBcc: eve@b.example", undefined],
    ["<a@b.example> <c@d.example>", undefined],
  ])("have the sender %j", (text, sender) => {
    expect(parseSender(text)).toEqual(sender);
  });
});

describe("replies", () => {
  test("are the same however their bytes are cut", () => {
    const lines = fc.array(fc.stringMatching(/^[ -~]{0,40}$/), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(lines, fc.integer({ min: 200, max: 599 }), fc.integer({ min: 1, max: 7 }), (texts, code, size) => {
        const wire = texts.map((line, at) => `${code}${at === texts.length - 1 ? " " : "-"}${line}\r\n`).join("");
        const bytes = new TextEncoder().encode(wire);
        const reader = new ReplyReader();
        const found = [];
        for (let at = 0; at < bytes.length; at += size) {
          const reply = reader.take(bytes.subarray(at, at + size));
          if (reply) found.push(reply);
        }
        expect(found).toEqual([{ code, lines: texts }]);
        expect(reader.isEmpty).toBe(true);
      }),
    );
  });

  test.each(["HTTP/1.1 400 Bad Request\r\n", "250-one\r\n251 two\r\n", "x".repeat(70_000), "\n"])(
    "that are none are refused: %#",
    (text) => {
      expect(() => new ReplyReader().take(new TextEncoder().encode(text))).toThrow(RangeError);
    },
  );
});
