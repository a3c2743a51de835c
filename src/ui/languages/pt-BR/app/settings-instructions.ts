import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Instruções",
  sub: "O que os modelos devem saber sobre você, e como devem responder, em todos os seus chats.",
  card: "Suas instruções",
  label: "Instruções",
  placeholder: "Trabalho na administração do porto. Responda de forma breve e use unidades métricas.",
  hint: "Vêm depois das instruções do modelo e antes das de uma pasta e do chat. Você pode desativá-las para um chat nos parâmetros dele.",
  failed: "Não foi possível carregar suas instruções",
  notSaved: "Não foi possível salvar suas instruções",
  saved: "Suas instruções foram salvas.",
  notAllowed: "Sua conta não pode definir instruções. Um administrador pode permitir.",
} satisfies AppTexts["settings/instructions"];
