import type { AppTexts } from "../../app-texts.ts";
import { locale } from "../../locale.ts";
import { number } from "../format.ts";

const seconds = new Intl.NumberFormat(locale, { style: "unit", unit: "second", maximumFractionDigits: 1 });

export default {
  run: "Executar",
  runOf: (language) => `Executar este código (${language})`,
  again: "Executar de novo",
  stop: "Parar",
  running: "O código está em execução",
  done: (time) => `Concluído em ${seconds.format(time)}`,
  stopped: "Parado",
  failed: (name, message) => (message ? `${name}: ${message}` : name),
  failedAt: (name, message, line) =>
    message ? `Linha ${number.format(line)}: ${name}: ${message}` : `Linha ${number.format(line)}: ${name}`,
  tooSlow: (time) => `Levou mais de ${seconds.format(time)} e foi interrompido.`,
  reasons: {
    timeout: "Demorou demais e foi interrompido.",
    stopped: "Usou memória demais, ou tempo demais sem pausa, e foi interrompido.",
    paused: "Seu código foi interrompido várias vezes. Espere um minuto e tente de novo.",
  },
  traceback: "Onde falhou",
  output: "Saída do código",
  nothing: "Não imprimiu nada.",
  cut: "O resto da saída não é mostrado.",
  result: "Resultado",
  files: "Arquivos do código",
  leftOut: (names) => `Grandes demais ou em excesso: ${names}`,
  download: "Baixar",
  downloadOf: (name) => `Baixar ${name}`,
  keep: "Guardar nos meus arquivos",
  keepOf: (name) => `Guardar ${name} nos meus arquivos`,
  kept: "Guardado",
  keepFailed: (name) => `Não foi possível guardar ${name}`,
  filesUnreadable: "Não foi possível ler os arquivos do chat, por isso o código é executado sem eles.",
  unloaded: "Não foi possível carregar o quadro do código.",
  tooMuch: "O código imprimiu demais de uma vez e foi interrompido.",
  unreachable: "Não foi possível executar o código",
  step: {
    running: "Executa código",
    done: "Executou código",
    failed: "Executou código que falhou",
    code: "Código",
  },
} satisfies AppTexts["chat/code-runs"];
