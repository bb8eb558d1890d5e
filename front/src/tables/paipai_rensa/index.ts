// Paipai Rensa 牌牌連鎖: what the page knows of this game.

import type { Component } from "svelte";
import type { TableModule, TableProps } from "../contract";
import Preview from "./Preview.svelte";
import Table from "./Table.svelte";
import { everywhere, messages } from "./words";

const module: TableModule = {
  Table: Table as Component<TableProps>,
  Preview,
  messages,
  pitch: everywhere("pitch"),
  keys: [
    { key: "← →", does: everywhere("key.move") },
    { key: "Z / ↑", does: everywhere("key.cw") },
    { key: "X", does: everywhere("key.ccw") },
    { key: "↓", does: everywhere("key.faster") },
    { key: "Space", does: everywhere("key.drop") },
    { key: "P", does: everywhere("key.pause") },
    { key: "H / D", does: everywhere("key.assign") },
    { key: "A / R", does: everywhere("key.suggest") },
    { key: "R", does: everywhere("key.again") },
    { key: "Enter", does: everywhere("key.confirm") },
  ],
};

export default module;
