import type { AdminTexts } from "../../admin-texts.ts";
import { locale } from "../../locale.ts";

const seconds = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

export default {
  title: "Imagens e voz",
  sub: "Quais conexões criam imagens, transcrevem o que as pessoas dizem e leem respostas em voz alta.",
  failed: "Não foi possível carregar as configurações",
  images: { title: "Imagens por modelos", sub: "O modelo recebe a descrição e as imagens a serem alteradas." },
  audio: { title: "Voz", sub: "Cada pessoa pode escolher uma voz e uma velocidade em Configurações, Voz." },
  engines: { "": "O navegador de cada pessoa", openai: "Uma conexão", off: "Nada" },
  none: "Nenhuma",
  trial: {
    title: "Testar",
    sub: "Consulta o modelo salvo acima. A imagem se torna um arquivo seu.",
    prompt: "Descrição",
    standard: "Um farol ao anoitecer, como xilogravura",
    test: "Criar uma imagem",
    testing: "Criando uma imagem. Pode levar um minuto.",
    testStale: "A descrição mudou desde a última imagem.",
    testFailed: "Nenhuma imagem foi criada",
    made: (time) => `Criada em ${seconds.format(time)} segundos.`,
    missing: "Insira uma descrição.",
  },
} satisfies AdminTexts["admin/media"];
