import { beforeEach, describe, expect, it, vi } from "vitest";
import { swipes } from "./swipe";

/** A board 600 px wide, whose cells are 100 px. */
class Board extends EventTarget {
  clientWidth = 600;
  setPointerCapture = vi.fn();
  getBoundingClientRect = () => ({ left: 0, width: 600 });
  point(type: string, x: number, y: number, at: number, more: object = {}): void {
    const event = new Event(type);
    Object.defineProperty(event, "timeStamp", { value: at });
    this.dispatchEvent(Object.assign(event, { pointerId: 1, button: 0, clientX: x, clientY: y, ...more }));
  }
}

describe("swipes", () => {
  let board: Board;
  let action: ReturnType<typeof swipes>;
  const done: string[] = [];
  beforeEach(() => {
    done.length = 0;
    board = new Board();
    action = swipes(board as unknown as HTMLElement, {
      move: (dx) => done.push(`move ${dx}`),
      lower: () => done.push("lower"),
      drop: () => done.push("drop"),
      turn: (by) => done.push(`turn ${by}`),
    });
  });

  it("turns by a tap: to the left in the left third, else to the right", () => {
    board.point("pointerdown", 100, 50, 0);
    board.point("pointerup", 101, 50, 100);
    board.point("pointerdown", 300, 50, 200);
    board.point("pointerup", 300, 52, 300);
    expect(done).toEqual(["turn -1", "turn 1"]);
  });

  it("does not take a long press for a tap", () => {
    board.point("pointerdown", 100, 50, 0);
    board.point("pointerup", 100, 50, 400);
    expect(done).toEqual([]);
  });

  it("moves once for each four fifths of a cell, and then no tap follows", () => {
    board.point("pointerdown", 100, 50, 0);
    board.point("pointermove", 265, 50, 50);
    board.point("pointermove", 180, 50, 80);
    board.point("pointerup", 110, 50, 100);
    expect(done).toEqual(["move 1", "move 1", "move -1"]);
  });

  it("lowers by a slow drag, one row for each cell", () => {
    board.point("pointerdown", 100, 50, 0);
    board.point("pointermove", 100, 260, 100);
    expect(done).toEqual([]);
    board.point("pointermove", 100, 260, 300);
    board.point("pointerup", 100, 260, 310);
    expect(done).toEqual(["lower", "lower"]);
  });

  it("drops by a quick swipe down", () => {
    board.point("pointerdown", 100, 50, 0);
    board.point("pointerup", 110, 250, 120);
    expect(done).toEqual(["drop"]);
  });

  it("ignores a second finger, another button and a cancelled touch", () => {
    board.point("pointerdown", 100, 50, 0, { button: 2 });
    board.point("pointerup", 100, 50, 50);
    board.point("pointerdown", 100, 50, 0);
    board.point("pointerup", 100, 50, 50, { pointerId: 2 });
    board.point("pointercancel", 100, 50, 60);
    board.point("pointerup", 100, 50, 70);
    expect(done).toEqual([]);
  });

  it("does nothing while it is switched off, or after it is taken away", () => {
    action.update(null);
    board.point("pointerdown", 100, 50, 0);
    board.point("pointerup", 100, 50, 50);
    action.destroy();
    board.point("pointerdown", 100, 50, 0);
    board.point("pointerup", 100, 50, 50);
    expect(done).toEqual([]);
  });
});
