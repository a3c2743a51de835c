import type { AdminTexts } from "../../admin-texts.ts";
import { number, plural } from "../format.ts";

export default {
  invite: "Convidar",
  card: "Convites",
  table: "Convites",
  columns: {
    who: "Para",
    role: "Função",
    from: "Convite de",
    ends: "Expira",
    state: "Estado",
    actions: "Ações",
  },
  anyone: "Qualquer pessoa com o link",
  roles: { user: "Membro", admin: "Administrador" },
  states: {
    open: "Aberto",
    void: "Não é mais válido",
    used: "Usado",
    expired: "Expirado",
    revoked: "Retirado",
  },
  usedBy: (name) => `Usado por ${name}`,
  voidHint:
    "Algo de que o convite precisa mudou: um grupo ou a organização não existe mais, ou quem convidou não pode mais convidar.",
  failed: "Não foi possível carregar os convites",
  takeBack: "Retirar",
  takeBackOf: (who) => ` o convite para ${who}`,
  takeBackTitle: "Retirar o convite?",
  takeBackText: "O link dele para de funcionar imediatamente.",
  takeBackFailed: "Não foi possível retirar o convite",
  takenBack: "O convite foi retirado.",
  dialog: {
    title: "Convidar alguém",
    text: "Você recebe um link que cria uma conta. As pessoas escolhem o próprio nome e a senha.",
    email: "E-mails (opcional)",
    emailHint: "Cada endereço recebe um link que só ele pode usar. Separe-os com vírgulas, espaços ou linhas.",
    emailWrong: "Insira um endereço de e-mail, como ada@harbour.example.",
    tooMany: (most) => `No máximo ${number.format(most)} endereços de uma vez.`,
    refused: (lines) => `Estes endereços não foram convidados:\n${lines}`,
    reasons: {
      invalid_email: "não é um endereço de e-mail",
      email_taken: "já tem uma conta",
      limit_reached: "você tem convites abertos demais",
    },
    send: "Enviar o link por e-mail",
    role: "Função",
    organization: "Organização",
    byRules: "Conforme as regras de atribuição",
    groups: "Grupos",
    searchGroups: "Buscar grupos",
    chosen: (count) =>
      count === 0 ? "Nenhum grupo selecionado" : plural(count, { one: "# selecionado", other: "# selecionados" }),
    noGroups: "Não há grupos.",
    days: "O link expira após",
    dayCount: (count) => plural(count, { one: "# dia", other: "# dias" }),
    action: (count) => (count < 2 ? "Criar convite" : plural(count, { other: "Criar # convites" })),
    failed: "Não foi possível criar o convite",
    madeTitle: (count) => plural(count, { one: "O convite está pronto", other: "# convites estão prontos" }),
    sent: (emails) =>
      emails.length === 1
        ? `Um e-mail com o link está a caminho de ${emails[0]}. Você também pode copiá-lo.`
        : plural(emails.length, {
            other: "Os e-mails com os links estão a caminho de # pessoas. Você também pode copiar os links.",
          }),
    copy: (count) =>
      count === 1
        ? "Envie este link à pessoa. Ele é mostrado só uma vez e funciona uma vez."
        : "Envie cada link à pessoa que está antes dele. Os links são mostrados só uma vez, e cada um funciona uma vez.",
    link: (count) => (count === 1 ? "Link" : "Links"),
    done: "Concluir",
  },
  reset: {
    action: "Link para nova senha",
    title: (name) => `Uma nova senha para ${name}`,
    text: "Você recebe um link com o qual a pessoa escolhe uma nova senha. Ele funciona uma vez, por um dia. Usá-lo encerra todas as sessões da conta.",
    make: "Criar link",
    failed: "Não foi possível criar o link",
    ready: "Envie este link à pessoa de forma segura. Ele é mostrado só uma vez.",
    link: "Link",
    done: "Concluir",
  },
} satisfies AdminTexts["admin/people/invitations"];
