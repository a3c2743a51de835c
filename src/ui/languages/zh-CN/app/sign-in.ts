import type { AppTexts } from "../../app-texts.ts";

export default {
  signIn: {
    title: "登录",
    action: "登录",
    other: "第一次使用？",
    otherAction: "创建账号",
    failed: "登录失败",
    wrong: "邮箱或密码错误。",
    closed: "密码登录已停用。请向管理员咨询登录方式。",
    signedOut: "你已退出登录。",
  },
  signUp: {
    title: "创建账号",
    first: "创建第一个账号",
    firstSub: "它将成为管理员账号。",
    action: "创建账号",
    other: "已有账号？",
    otherAction: "登录",
    failed: "无法创建账号",
    closed: "只有管理员可以创建账号。请联系管理员；如果已有账号，请直接登录。",
  },
  fields: {
    name: "姓名",
    email: "邮箱",
    password: "密码",
    passwordHint: "至少 8 个字符。几个单词的组合比符号更容易记住。",
  },
  missing: {
    name: "请输入姓名。",
    email: "请输入邮箱，例如 ada@harbour.example。",
    password: "请输入密码。",
    newPassword: "请至少使用 8 个字符。",
    longPassword: "请勿超过 1,024 字节。",
  },
  sso: {
    with: (name) => `使用 ${name} 继续`,
    going: (name) => `正在打开 ${name}`,
    newTab: "（在新标签页中）",
    or: "或",
    onItsWay: (name) => `正在打开 ${name}。`,
    stay: "留在此页面",
    waiting: "请在那里登录，然后回到此标签页，随后会自动继续。",
    failed: "登录失败",
    unknown: "通过提供商登录失败，请重试。如果一直失败，请告知管理员。",
    errors: {
      sso_denied: "提供商拒绝了登录，或你取消了登录。请重试，并在询问时允许访问。",
      sso_expired: "登录耗时过长，或页面被打开了两次。请从这里重新开始。",
      sso_no_account: "你还没有账号，登录也不会自动创建账号。请让管理员添加你。",
      sso_email_taken: "使用你邮箱的账号已存在，且登录方式不同。请按原来的方式登录，或让管理员关联这两个账号。",
      sso_email_missing: "提供商没有发送你的邮箱，而邮箱是必需的。请让管理员在提供商处更改设置。",
      sso_email_unverified: "你的邮箱尚未在提供商处验证。请先验证，然后重试。",
      sso_domain_not_allowed: "不允许使用你邮箱的域名。请使用工作账号，或联系管理员。",
      sso_account_inactive: "你的账号已停用。请让管理员重新启用。",
      sso_organization_inactive: "你的组织已停用。请联系管理员。",
      sso_role_not_allowed: "你的角色无权使用此服务。请向管理员申请访问权限。",
      sso_provider_failed:
        "无法连接提供商，或其响应无效。请稍后重试。如果一直失败，请告知管理员。原因记录在服务的日志中。",
    },
  },
  pause: (seconds) => `尝试次数过多。请在${duration(seconds)}后重试。`,
  pauseOver: "现在可以重试。",
  again: {
    title: "重新登录",
    text: "会话已结束。登录后可从当前位置继续，已输入的内容不会丢失。",
    other: "使用其他账号",
    action: "登录并继续",
    noForm: "会话已结束。请在新标签页中登录，然后在此继续。已输入的内容不会丢失。",
  },
  waiting: {
    title: "你的账号正在等待批准",
    text: "需要管理员先批准你的账号，之后此页面会自动继续。",
    contact: (name) => `你可以联系 ${name}：`,
    check: "立即检查",
    checked: "尚未批准。刚刚检查过。",
    signOut: "退出登录",
    signedInAs: (email) => `当前登录账号：${email}`,
    failed: "无法检查批准状态",
  },
} satisfies AppTexts["sign-in"];

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return [minutes > 0 ? ` ${minutes} 分钟` : "", rest > 0 || minutes === 0 ? ` ${rest} 秒` : ""].join("");
}
