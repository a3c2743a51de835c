import { describe, expect, it } from "vitest";
import { useFilterWorld } from "../../chat/functions/filter-world.ts";
import { install } from "../../chat/functions/install.ts";

const here = useFilterWorld();

/** A function that makes the file that it is told to, and answers with what came of it. */
const making = `export class Pipe { async pipe(body, __service__) {
  const args = JSON.parse(body.messages.at(-1).content);
  return JSON.stringify(await __service__.request("file.create", args).catch((error) => ({ error: error.message })));
} }`;
interface Made {
  id: string;
  url: string;
  error?: string;
}
async function make(args: object, more: object = {}): Promise<Made> {
  const messages = [{ role: "user", content: JSON.stringify(args) }];
  const { body } = await here.ask({ model: "making", messages, ...more });
  return JSON.parse(body.choices[0]!.message.content) as Made;
}
const picture = { name: "../photos/münz.png", content_type: "image/png", base64: btoa("\x89PNG bytes") };
const load = (url: string, as = here.ada) => here.world.request(url, { as });

describe("files of plugins", () => {
  it("are kept, described and handed out to their person only", async () => {
    await install(here.world, { id: "making", source: making });
    const made = await make(picture);
    expect(made).toMatchObject({
      user_id: here.ada.id,
      filename: "münz.png",
      meta: { name: "münz.png", content_type: "image/png", size: 10 },
      url: `/api/v1/files/${made.id}/content`,
    });
    const response = await load(made.url);
    expect(response.status).toBe(200);
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([...Buffer.from("\x89PNG bytes", "latin1")]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "content-disposition": "inline; filename*=UTF-8''m%C3%BCnz.png",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect((await here.world.call(`/api/v1/files/${made.id}`, { as: here.ada })).body).toEqual(made);
    const bob = await here.world.person({ name: "Bob" });
    expect((await load(made.url, bob)).status).toBe(404);
    expect((await load(`/api/v1/files/${made.id}`, bob)).status).toBe(404);
    expect((await load(made.url, await here.world.admin())).status).toBe(200);
  });

  it("have names that are whole, however long they were", async () => {
    await install(here.world, { id: "making", source: making });
    const made = await make({ ...picture, name: `${"x".repeat(199)}😀.png` });
    expect(made).toMatchObject({ filename: "x".repeat(199) });
    expect((await load(made.url)).headers.get("content-disposition")).toContain(`''${"x".repeat(199)}`);
  });

  it("have names that hide nothing, and mean nothing in headers", async () => {
    await install(here.world, { id: "making", source: making });
    const made = await make({ ...picture, name: "it's (1)*\u202Efdp.exe\u2028\u2066" });
    expect(made).toMatchObject({ filename: "it's (1)*fdp.exe" });
    const { headers } = await load(made.url);
    expect(headers.get("content-disposition")).toBe("inline; filename*=UTF-8''it%27s%20%281%29%2Afdp.exe");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });

  it("never become a page of this origin", async () => {
    await install(here.world, { id: "making", source: making });
    for (const type of ["text/html", "image/svg+xml", "application/xhtml+xml"]) {
      const { url } = await make({ ...picture, content_type: type });
      const { headers } = await load(url);
      expect(headers.get("content-type")).toBe("application/octet-stream");
      expect(headers.get("content-disposition")).toMatch(/^attachment/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("go with their chat, bytes included", async () => {
    await install(here.world, { id: "making", source: making });
    const chatId = await here.newChat();
    const { url, id } = await make(picture, { chat_id: chatId });
    expect((await load(url)).status).toBe(200);
    await here.world.settled();
    await here.world.call(`/api/v1/chats/${chatId}`, { as: here.ada, method: "DELETE" });
    expect((await load(url)).status).toBe(404);
    const { rows } = await here.world.client.execute("SELECT key FROM dropped_blobs");
    expect(rows.map(({ key }) => key)).toEqual([`files/${id}`]);
  });

  it.each([
    [{ ...picture, base64: "§" }, "base64"],
    [{ ...picture, base64: "" }, "base64"],
    [{ ...picture, content_type: "no type" }, "content_type"],
    [{ ...picture, content_type: "text/plain\nx: y" }, "content_type"],
    [{ ...picture, name: 5 }, "name"],
  ])("%# are refused where they are none", async (args, reason) => {
    await install(here.world, { id: "making", source: making });
    expect((await make(args)).error).toContain(reason);
    expect((await here.world.client.execute("SELECT * FROM files")).rows).toEqual([]);
  });

  it("are refused where they are too large", async () => {
    const source = `export class Pipe { async pipe(body, __service__) {
      const content = new Uint8Array(12_000_001);
      return JSON.stringify(await __service__.createFile({ name: "a", content }).catch((error) => ({ error: error.message })));
    } }`;
    await install(here.world, { id: "making", source });
    expect((await make({})).error).toContain("at most 12 MB");
  });
});
