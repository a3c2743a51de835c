import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  title: "Segundo fator",
  sub: "Um código de um app no seu celular, além da senha. Assim, só a senha não basta para entrar.",
  failed: "Não foi possível carregar seu segundo fator",
  required: {
    title: "Configure um segundo fator",
    sub: "Ele é obrigatório para sua conta. Leva um minuto, e você precisa de um app autenticador no celular.",
    signOut: "Sair",
  },
  sso: "Você entra pelo seu provedor de identidade. É ele que decide se pede um segundo fator.",
  app: {
    title: "App autenticador",
    off: "Não configurado.",
    on: "Ao entrar com a senha, é pedido um código do app.",
    since: "Configurado",
    password: "Sua senha",
    start: "Configurar",
    startFailed: "Não foi possível iniciar a configuração",
    wrongPassword: "Esta não é sua senha.",
    scan: "Escaneie esta imagem com seu app autenticador e insira o código que ele mostra.",
    picture: "Código QR para seu app autenticador",
    secret: "Ou digite esta chave no app",
    code: "Código",
    codeHint: "Seis dígitos.",
    confirm: "Concluir",
    confirmFailed: "Não foi possível concluir a configuração",
    wrongCode: "O código está errado ou já foi usado. Espere o próximo.",
    missing: "Insira o código.",
    remove: "Remover",
    removeTitle: "Remover o segundo fator?",
    removeText: "Depois disso, só a senha volta a bastar para entrar.",
    removed: "O segundo fator foi removido.",
    removeFailed: "Não foi possível remover o segundo fator",
    anyCode: "Um código do app ou um código de recuperação",
    needed: "Um segundo fator é obrigatório para sua conta, por isso não pode ser removido.",
  },
  recovery: {
    title: "Códigos de recuperação",
    left: (count) =>
      count === 0
        ? "Não resta nenhum código. Crie novos."
        : count === 1
          ? "Resta um código."
          : `Restam ${number.format(count)} códigos.`,
    what: "Com cada um você entra uma vez, caso tenha perdido o celular.",
    show: "Guarde estes códigos em um lugar seguro, como um gerenciador de senhas. Eles são mostrados só uma vez.",
    codes: "Códigos de recuperação",
    renew: "Criar novos códigos",
    renewTitle: "Criar novos códigos de recuperação?",
    renewText: "Os códigos que você tem agora param de funcionar.",
    renewFailed: "Não foi possível criar os códigos",
    saved: "Já guardei",
  },
} satisfies AppTexts["settings/second-factor"];
