import type { AdminTexts } from "../../admin-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "E-mail",
  sub: "O servidor de e-mail que envia convites e links para novas senhas. Sem ele, administradores copiam esses links.",
  on: "E-mails são enviados.",
  off: "Nenhum e-mail é enviado: defina um servidor de e-mail e um remetente.",
  pending: (count) =>
    plural(count, { one: "# e-mail espera para ser enviado.", other: "# e-mails esperam para ser enviados." }),
  failed: "Não foi possível carregar as configurações",
  stateFailed: "Não foi possível carregar o estado",
  server: { title: "Servidor de e-mail", sub: "Salve antes de testar." },
  password: {
    title: "Senha",
    sub: "Para o nome de usuário acima. É armazenada criptografada e nunca é mostrada.",
    label: "Senha",
    set: "Há uma senha armazenada. Insira uma nova para substituí-la.",
    none: "Nenhuma senha armazenada.",
    locked: "Definida pelo ambiente (SMTP_PASSWORD).",
    save: "Salvar senha",
    remove: "Remover senha",
    saved: "A senha foi salva.",
    removed: "A senha foi removida.",
    failed: "Não foi possível salvar a senha",
    changes: "senha",
  },
  test: {
    title: "Teste",
    sub: "Envia um e-mail agora, com as configurações salvas.",
    to: "Destinatário",
    action: "Enviar e-mail de teste",
    wrong: "Insira um endereço de e-mail, como ada@harbour.example.",
    failed: "Não foi possível fazer o teste",
    sent: (to) =>
      `O servidor de e-mail aceitou a mensagem para ${to}. Confira a caixa de entrada e também a pasta de spam.`,
    notSent: "O e-mail não foi enviado",
    conversation: "A conversa completa",
    parley: "Parley",
    server: "Servidor",
  },
  failures: {
    title: "Não enviados",
    sub: "E-mails dos últimos sete dias que não puderam ser enviados.",
    kinds: { invitation: "Convite", password_reset: "Nova senha" },
  },
} satisfies AdminTexts["admin/mail"];
