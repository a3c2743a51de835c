import { runJobs } from "../../src/jobs/run-jobs.ts";
import { type MailServerFixture, startMailServer } from "../fixtures/mail/start-mail-server.ts";
import { createMemoryJobs } from "../memory-jobs.ts";
import { createWorld, type World } from "../world.ts";

export interface MailWorld extends World {
  mail: MailServerFixture;
  /** Runs what waits to be sent and is due. */
  sendMail(): Promise<void>;
  /** Lets the pause of what waits be over. */
  hurryMail(): Promise<void>;
}

/** A world with a mail server. @param environment variables besides */
export async function createMailWorld(environment: Record<string, string> = {}): Promise<MailWorld> {
  const mail = await startMailServer();
  const world = await createWorld({
    services: { jobs: createMemoryJobs() },
    environment: {
      SMTP_HOST: "127.0.0.1",
      SMTP_PORT: String(mail.port),
      SMTP_FROM: "Parley <parley@harbour.example>",
      WEBUI_URL: "https://parley.example",
      ...environment,
    },
  });
  return {
    ...world,
    mail,
    async sendMail() {
      await world.settled();
      await runJobs(world.services, "mail");
    },
    async hurryMail() {
      await world.client.execute("UPDATE mail_messages SET next_attempt_at = 0");
      await world.client.execute("UPDATE jobs SET due_at = 0 WHERE kind = 'mail'");
    },
    async close() {
      await world.close();
      await mail.close();
    },
  };
}
