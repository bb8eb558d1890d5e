// Paipai Rensa 牌牌連鎖: what the page knows of this game.

import type { Component } from "svelte";
import type { TableModule, TableProps } from "../contract";
import Preview from "./Preview.svelte";
import Table from "./Table.svelte";
import { tell } from "./tell";

const module: TableModule = {
  Table: Table as Component<TableProps>,
  Preview,
  tell,
  pitch: {
    zh: "落牌消除遇上麻将：同花色四张相连就消，消下的牌凑一副和牌。",
    en: "A falling puzzle with mahjong tiles: chain suits together, and build a hand from what you clear.",
    ja: "落ちものパズル×麻雀。同じ種類を4枚つなげて消し、その牌で和了を目指す。",
  },
  keys: [
    { key: "← →", does: { zh: "左右移动", en: "move the pair", ja: "左右に移動" } },
    { key: "Z / ↑", does: { zh: "顺时针旋转", en: "turn clockwise", ja: "右回転" } },
    { key: "X", does: { zh: "逆时针旋转", en: "turn counterclockwise", ja: "左回転" } },
    { key: "↓", does: { zh: "加速下落", en: "fall faster", ja: "速く落とす" } },
    {
      key: "Space",
      does: {
        zh: "落到底；分配时切换一张",
        en: "drop; while sharing out: flip a tile",
        ja: "一気に落とす。配置では1枚切替",
      },
    },
    { key: "P", does: { zh: "暂停", en: "pause", ja: "一時停止" } },
    { key: "H / D", does: { zh: "分配：留／弃", en: "sharing out: hand / discard", ja: "配置：手牌へ／捨てる" } },
    {
      key: "A / R",
      does: { zh: "分配：建议／重置", en: "sharing out: suggest / reset", ja: "配置：おすすめ／リセット" },
    },
    { key: "R", does: { zh: "结束后再来一局", en: "at the end: play again", ja: "終了後：もう一局" } },
    { key: "Enter", does: { zh: "确定分配", en: "confirm the sharing out", ja: "配置を決定" } },
  ],
};

export default module;
