import process from "node:process";

/**
 * A bot in a process of its own: `node channel-bot.ts <webhook url> <name> <posts>`. Each post is sent under a key of its own
 * until it is acknowledged, whatever happens to the service meanwhile. Prints the ids that it was given, as JSON.
 */
const [url, name, posts] = process.argv.slice(2) as [string, string, string];
const ids: string[] = [];
for (let number = 1; number <= Number(posts); number++) ids.push(await post(`${name}, post ${number}`));
process.stdout.write(JSON.stringify(ids));

async function post(content: string): Promise<string> {
  for (;;) {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": content },
        body: JSON.stringify({ content }),
        signal: AbortSignal.timeout(20_000),
      });
      const answer = (await response.json()) as { success?: boolean; message_id?: string };
      if (response.status === 200 && answer.success && answer.message_id) return answer.message_id;
      // What is wrong with the post itself does not get better.
      if (response.status < 429) throw new RangeError(`${response.status}: ${JSON.stringify(answer)}`);
    } catch (error) {
      if (error instanceof RangeError) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
