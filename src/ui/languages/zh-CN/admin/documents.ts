import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  title: "文档",
  sub: "文件的读取和搜索方式。",
  failed: "无法加载设置",
  stateFailed: "无法加载索引状态",
  tiles: { completed: "可搜索的文件", pending: "正在读取", failed: "无法读取" },
  search: {
    title: "搜索",
    keywordOnly: "未选择嵌入模型，因此只能按词语搜索，不能按语义搜索。请在下方选择。",
    serving: (model, dimension) =>
      dimension === null
        ? `使用 ${model}，按词语和语义搜索。`
        : `使用 ${model}（${number.format(dimension)} 维），按词语和语义搜索。`,
    first: (model) => `${model} 正在为片段建立索引。完成之前只能按词语搜索。`,
    next: (model, serving) => `${model} 正在为片段建立索引。完成之前使用 ${serving} 搜索。`,
    done: (done, total) => `${number.format(done)} / ${number.format(total)} 个片段`,
    stopped: (reason) => `建立索引失败：${reason} 将自动重试。`,
    progress: "已建立索引的片段",
  },
  settings: {
    documents: { title: "文件", sub: "可以上传什么，以及如何读取文件。" },
    retrieval: { title: "片段和搜索", sub: "文本的拆分和搜索方式。" },
  },
} satisfies AdminTexts["admin/documents"];
