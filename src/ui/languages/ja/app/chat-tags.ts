import type { AppTexts } from "../../app-texts.ts";

export default {
  menu: "タグ…",
  label: "タグ",
  spoken: "タグ：",
  row: "このチャットのタグ",
  edit: "タグを変更",
  show: (name) => `タグ「${name}」のチャットを表示`,
  filter: {
    label: "このタグのチャットのみ",
    clear: (name) => `「${name}」での絞り込みを解除`,
    none: (name) => `タグ「${name}」のチャットはありません。`,
    noneFound: (query, name) => `タグ「${name}」のチャットに「${query}」と一致するものはありません。`,
  },
  dialog: {
    title: (name) => `「${name}」のタグ`,
    add: "タグを追加",
    addAction: "追加",
    placeholder: "短い言葉",
    none: "このチャットにタグはまだありません。",
    remove: (name) => `タグ「${name}」を外す`,
    known: "その他のタグ",
    addKnown: (name) => `タグ「${name}」を追加`,
    failed: "タグを変更できませんでした",
    loadFailed: "タグを読み込めませんでした",
    added: (name) => `「${name}」を追加しました`,
    removed: (name) => `「${name}」を外しました`,
    done: "完了",
  },
} satisfies AppTexts["chat/tags"];
