// The sentences of Wuhan mahjong, from the message files that Python reads too.

import en from "@qipai/games/wuhan_mahjong/messages/en.json";
import ja from "@qipai/games/wuhan_mahjong/messages/ja.json";
import zh from "@qipai/games/wuhan_mahjong/messages/zh.json";
import { type Line, type Value } from "../../lib/message";
import { sentences } from "../../lib/sentences";
import type { Words } from "../contract";
import type { Code } from "./types";

export type Key = keyof typeof en & keyof typeof zh & keyof typeof ja;

export const { messages, say: word } = sentences<Key>({ en, zh, ja });

/** A text without values in every language. */
export const everywhere = (key: Key): Words => ({ en: en[key], zh: zh[key], ja: ja[key] });

export const bySeat = (seat: number): Value => ({ seat });

/** A tile as a value of a sentence. */
export const byTile = (code: Code): Line => [`tile.${code[1]}`, { n: Number(code[0]) }];

export const byTiles = (codes: Code[]): Value => ({ list: codes.map(byTile) });

/** A name from the message files as a value of a sentence. */
export const byKey = (key: Key): Line => [key, {}];
