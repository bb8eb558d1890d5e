// The view and the events of skill gomoku, as src/qipai/games/skill_gomoku/view.py makes them. Players are 1 and 2, seats 0 and 1.

export type CardId = "Place" | "Take" | "PolarityInversion" | "TimeFreeze" | "SpontaneousGeneration";
export type Player = 1 | 2;
/** 0: empty, 1: black, 2: white; by row from the top, by column from the left. */
export type Cells = number[][];

export interface Point {
  x: number;
  y: number;
}

export interface Line {
  player: Player;
  length: number;
  line: Point[];
}

export interface Choice {
  player: Player;
  card: CardId;
  index: number;
  discarded: CardId | null;
}

export interface View {
  viewer: Player | null;
  decider: number | null;
  toAct: Player | null;
  settings: {
    boardSize: number;
    firstPlayer: Player;
    simultaneousFivePolicy: "attacker" | "draw";
    deckCounts: Record<CardId, number>;
    maxTurns: number | null;
    drawnVisibility: "private" | "public";
  };
  board: { size: number; cells: Cells };
  currentPlayer: Player;
  mover: Player; // whose turn is shown, even after it has ended
  unplayable: CardId[]; // while a card is being chosen: those that would have no effect
  deck: { drawCount: number; discardPile: CardId[]; unseenCounts: Record<CardId, number> };
  status: { skipNextTurns: Record<"1" | "2", number> };
  turn: {
    number: number;
    state: string;
    drawn: CardId[] | null; // null: hidden from the viewer, who knows only `drawnCount`
    drawnCount?: number;
    chosen: CardId | null;
    chosenIndex: number | null;
    target: unknown;
  };
  lastMove: (Point & { player: Player }) | null;
  winner: Player | "draw" | null;
  reason: "five" | "simultaneousFive" | "turnLimit" | "noCards" | null;
  winningLines: Line[];
  lastChoice: Choice | null;
}

export type Op =
  | { type: "place"; point: Point; player: Player }
  | { type: "remove"; point: Point }
  | { type: "swapAll" }
  | { type: "freeze"; target: Player; amount: number };

type Told<Name extends string, Data> = { event: Name; turn: number; player: Player; data: Data };

export type GomokuEvent =
  | { event: "start"; options: Record<string, string | number> }
  | { event: "turnStarted"; turn: number; player: Player }
  | { event: "turnEnded"; turn: number }
  | Told<"turnSkipped", { remaining: number }>
  | Told<"cardsDrawn", { cards: CardId[] | null; reshuffled: boolean }>
  | Told<"cardChosen", { card: CardId; index: number; discarded: CardId | null }>
  | Told<"targetSelected", { target: { kind: "cell"; point: Point } | { kind: "player"; player: Player } }>
  | Told<"effectResolved", { card: CardId; ops: Op[]; fizzled: boolean }>
  | Told<"winChecked", { winner: Player | "draw" | null }>
  | { event: "matchEnded"; winner: Player | "draw"; reason: NonNullable<View["reason"]> };

/** The cards of a turn as they lie on the table: null is a back. */
export interface Spread {
  player: Player;
  cards: (CardId | null)[];
  chosen: number | null;
}
