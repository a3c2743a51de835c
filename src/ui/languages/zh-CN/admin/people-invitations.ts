import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  invite: "邀请",
  card: "邀请",
  table: "邀请",
  columns: { who: "对象", role: "角色", from: "邀请人", ends: "到期时间", state: "状态", actions: "操作" },
  anyone: "拥有链接的任何人",
  roles: { user: "成员", admin: "管理员" },
  states: {
    open: "有效",
    void: "已失效",
    used: "已使用",
    expired: "已过期",
    revoked: "已撤回",
  },
  usedBy: (name) => `由 ${name} 使用`,
  voidHint: "邀请所需的条件已发生变化：用户组或组织已不存在，或邀请人不再有权邀请。",
  failed: "无法加载邀请",
  takeBack: "撤回",
  takeBackOf: (who) => `给 ${who} 的邀请`,
  takeBackTitle: "撤回邀请？",
  takeBackText: "其链接会立即失效。",
  takeBackFailed: "无法撤回邀请",
  takenBack: "邀请已撤回。",
  dialog: {
    title: "邀请他人",
    text: "你会获得一个可以创建一个账号的链接。姓名和密码由对方自行设定。",
    email: "邮箱（可选）",
    emailHint: "每个邮箱会获得一个只有它可以使用的链接。用逗号、空格或换行分隔。",
    emailWrong: "请输入邮箱，例如 ada@harbour.example。",
    tooMany: (most) => `一次最多 ${number.format(most)} 个邮箱。`,
    refused: (lines) => `以下邮箱未被邀请：\n${lines}`,
    reasons: {
      invalid_email: "不是邮箱",
      email_taken: "已有账号",
      limit_reached: "你的未使用邀请过多",
    },
    send: "通过邮件发送链接",
    role: "角色",
    organization: "组织",
    byRules: "按分配规则",
    groups: "用户组",
    searchGroups: "搜索用户组",
    chosen: (count) => (count === 0 ? "未选择用户组" : `已选 ${number.format(count)} 个`),
    noGroups: "没有用户组。",
    days: "链接有效期",
    dayCount: (count) => `${number.format(count)} 天`,
    action: (count) => (count < 2 ? "创建邀请" : `创建 ${number.format(count)} 个邀请`),
    failed: "无法创建邀请",
    madeTitle: (count) => (count === 1 ? "邀请已就绪" : `${number.format(count)} 个邀请已就绪`),
    sent: (emails) =>
      emails.length === 1
        ? `包含链接的邮件正在发往 ${emails[0]}。你也可以复制链接。`
        : `包含链接的邮件正在发往 ${number.format(emails.length)} 人。你也可以复制这些链接。`,
    copy: (count) =>
      count === 1
        ? "请将此链接发送给对方。它只显示一次，也只能使用一次。"
        : "请将每个链接发送给它前面的人。链接只显示一次，每个也只能使用一次。",
    link: () => "链接",
    done: "完成",
  },
  reset: {
    action: "设置新密码的链接",
    title: (name) => `${name} 的新密码`,
    text: "你会获得一个链接，供对方设定新密码。它在一天内有效，只能使用一次。使用后，该账号的所有会话都会结束。",
    make: "创建链接",
    failed: "无法创建链接",
    ready: "请以安全的方式将此链接发送给对方。它只显示一次。",
    link: "链接",
    done: "完成",
  },
} satisfies AdminTexts["admin/people/invitations"];
