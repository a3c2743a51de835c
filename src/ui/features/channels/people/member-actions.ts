import type { ChannelMember, MemberRole } from "../../../../channels/members/schema.ts";
import type { ChannelView } from "../../../../channels/schema.ts";
import { explainError } from "../../../components/explain-error.ts";
import { texts as shared } from "../../../components/texts.ts";
import { toApiError } from "../../../lib/api-error.ts";
import { router } from "../../../lib/router.svelte.ts";
import { toasts } from "../../../lib/toasts.svelte.ts";
import { peopleApi } from "./people-api.ts";
import { texts } from "./texts.ts";

interface Options {
  channel: () => ChannelView;
  /** The list is left for another page. */
  onclose: () => void;
  onchanged: () => Promise<void>;
}

/** What can be done with a member, each with a word about how it went. */
export function memberActions({ channel, onclose, onchanged }: Options) {
  const words = texts.members;

  async function attempt(failed: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      toasts.show(`${failed}. ${explainError(toApiError(cause))}`, { kind: "danger" });
    }
    await onchanged();
  }

  async function putBack(person: ChannelMember): Promise<void> {
    const { id } = channel();
    await attempt(words.addFailed, async () => {
      await peopleApi.add(id, { user_ids: [person.id] });
      if (person.channel_role === "manager") await peopleApi.setRole(id, person.id, "manager");
      toasts.show(words.back(person.name));
    });
  }

  return {
    /** Rejects where it fails: the dialog stays open and says why. */
    async add(userIds: string[]): Promise<void> {
      const { id, name } = channel();
      await peopleApi.add(id, { user_ids: userIds });
      toasts.show(words.added(userIds.length, name));
      await onchanged();
    },
    setRole: (person: ChannelMember, role: MemberRole) =>
      attempt(words.roleFailed(person.name), async () => {
        await peopleApi.setRole(channel().id, person.id, role);
        toasts.show((role === "manager" ? words.isManager : words.isMember)(person.name));
      }),
    takeOut: (person: ChannelMember) =>
      attempt(words.takeOutFailed(person.name), async () => {
        await peopleApi.takeOut(channel().id, person.id);
        toasts.show(words.takenOut(person.name), {
          action: { label: shared.undo, run: () => void putBack(person) },
        });
      }),
    async write(person: ChannelMember): Promise<void> {
      try {
        const { id } = await peopleApi.write([person.id]);
        onclose();
        await router.navigate(`/channels/${id}`);
      } catch (cause) {
        toasts.show(`${texts.write.failed}. ${explainError(toApiError(cause))}`, { kind: "danger" });
      }
    },
  };
}
