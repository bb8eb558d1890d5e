// Words of the form that opens a table: what choices are called, levels of bots, and Japanese where a game's own options have none.
import type { Words } from "../tables/contract";
import { pick, t } from "./i18n";
import type { AgentInfo, OptionInfo } from "./wire";
import { app } from "./state.svelte";

const w = (zh: string, en: string, ja: string): Words => ({ zh, en, ja });

const CHOICES: Record<string, Words> = {
  on: w("开", "on", "あり"),
  off: w("关", "off", "なし"),
  above_red_shi: w("大于红士对", "beats the red shi pair", "紅士の対より強い"),
  equal_red_shi: w("等于红士对", "equals the red shi pair", "紅士の対と同じ"),
  settle: w("直接结算", "settle", "そのまま精算"),
  redeal: w("重发", "deal again", "配り直す"),
  play_or_buckle: w("出或扣", "play or buckle", "出すか扣か"),
  buckle_first: w("先问扣", "asked to buckle first", "先に扣を問う"),
  nana: w("标准", "standard", "標準"),
  simple: w("简单：不计相连", "simple: no connected trios", "簡単：つながりなし"),
  spicy: w("刺激：不计三组", "spicy: no three trios", "辛口：三組なし"),
  continue: w("继续翻", "go on", "続ける"),
  pass: w("轮到下家", "next player", "次の人へ"),
  raise: w("一律付金顶", "pay the golden amount", "金頂を払う"),
  limit: w("最多付金顶", "at most the golden amount", "金頂まで"),
  discarder: w("自出牌者起", "from the discarder", "捨てた人から"),
  dealer: w("自庄家起", "from the dealer", "親から"),
  attacker: w("行动方胜", "the mover wins", "手番側の勝ち"),
  draw: w("平局", "a draw", "引き分け"),
  default: w("标准", "standard", "標準"),
  "source-current": w("原作现版", "the original, current", "原作・現行"),
  "source-early": w("原作早期版", "the original, early", "原作・初期"),
  "used-only": w("所用的牌", "its own tiles", "使った牌だけ"),
  all: w("整个盘面", "the whole board", "盤面すべて"),
};

const LEVELS: Words[] = [
  w("新手", "beginner", "はじめて"),
  w("普通", "casual", "ふつう"),
  w("厉害", "strong", "強い"),
  w("高手", "expert", "達人"),
];

/** By option's name; names that games share mean the same. */
const JA: Record<string, string> = {
  dog_pair: "狗の対と紅士の対の強さ",
  black_chess: "士も相もない手（黒棋）",
  round_open: "開局者は出すか扣か、先に問うか",
  first_seat: "先手の席",
  reveal_ceramic_liability: "掀で他家を瓷にした人が払う（掀瓷包瓷）",
  first_game_limits: "初局は三柱未満で扣なし、瓷は一枚",
  enough_must_buckle: "足りた開局者は扣しなければならない",
  eight_pillars: "八柱すべてで各家から八枚",
  mode: "勝利条件：七を三枚、つながる二組、または三組",
  after_success: "三枚そろえた後",
  first: "先手の席",
  max_turns: "手番の上限（過ぎたら引き分け）",
  min_win: "和了の最低支払い：0、8、16、32、64",
  cap: "一人の支払い上限：300、500、800",
  golden_mode: "三家とも上限のとき（金頂）",
  kou_kou_fan: "鳴くたびに倍（なし：最初だけ）",
  small_laizi: "小和で使える頼子の数",
  big_laizi: "大和で使える頼子の数",
  wall_reserve: "残す牌：0 か 10",
  auto_pass: "鳴けない人には問わない",
  multi_win_order: "問う順番",
  contract: "包（一人払い）",
  flow_settlement: "流局でも精算する",
  flow_cap: "流局の支払い上限：300、-1 は無制限",
  first_dealer: "最初の親",
  board_size: "盤の路数",
  five_policy: "両者同時に五連のとき",
  deck: "山札の構成",
  places: "「落子無悔」の枚数（-1：標準）",
  takes: "「飛沙走石」の枚数（-1：標準）",
  inversions: "「両極反転」の枚数（-1：標準）",
  freezes: "「時間凍結」の枚数（-1：標準）",
  generations: "「天女散花」の枚数（-1：標準）",
  place_top: "最初の一枚は必ず石を置く札",
  drawn_public: "引いた札を公開する",
  cpu_clear_policy: "CPU の和了で消える牌",
  bias_enabled: "同色の組の率を調整する（A）",
  bias_window_pairs: "率を見る組数",
  bias_zoro_target: "目標の率（百万分率）",
  bias_zoro_min: "最低の率（百万分率）",
  bias_zoro_max: "最高の率（百万分率）",
  bias_zoro_feedback: "フィードバックの強さ",
  bias_max_streak: "主色の連続上限、以後は減点（B）",
  bias_streak_penalty: "その後の重み",
  bias_remaining_gamma: "残り枚数比の指数",
  bias_noise_eps: "重みのゆらぎ",
  bias_streak_hard_cap: "主色は上限 + 1 回まで",
};

export function optionWords(option: OptionInfo): string {
  const untranslated = option.about.ja === option.about.en;
  const about = (app.lang === "ja" && untranslated && JA[option.name]) || pick(option.about) || option.name;
  return namesSeat(option) ? about.replace(/[;；,，]\s*-1.*$|\s*[(（].*0.*[)）]$/, "") : about; // the list says it in words
}

export const choiceWords = (choice: string): string =>
  CHOICES[choice] ? pick(CHOICES[choice]) : choice.replaceAll("_", " ");

/** An option that names a seat: -1 draws it. */
export const namesSeat = (option: OptionInfo): boolean =>
  ["first_seat", "first", "first_dealer"].includes(option.name) && option.kind === "number";

export const botWords = (agent: AgentInfo): string =>
  `${t("bot")} · ${pick(LEVELS[Math.min(agent.level, LEVELS.length - 1)])}`;
