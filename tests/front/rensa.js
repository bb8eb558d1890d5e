// A player of Paipai Rensa inside the page, who puts tiles next to tiles of their suit, and what was asked meanwhile.
window.qipaiRensa = (() => {
  const seen = { dialogs: 0, notices: 0, asked: [], placed: 0 };
  const added = (node, what) => node.querySelectorAll(what).length + (node.matches(what) ? 1 : 0);
  const stage = () => document.querySelector(".stage");
  const find = (what) => stage()?.querySelector(what);
  let picks = 0;

  function look(changes) {
    for (const change of changes)
      for (const node of change.addedNodes)
        if (node instanceof Element) {
          seen.dialogs += added(node, "[role=dialog]");
          seen.notices += added(node, ".glance");
        }
    const now = document.querySelectorAll(".stage [data-pick]").length;
    if (now > 0 && picks === 0) seen.asked.push(now);
    picks = now;
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true });

  const suit = (cell) => ["m", "p", "s", "z"].find((s) => cell.querySelector("svg").classList.contains(s));
  const at = (cell, name) => Number(cell.style.getPropertyValue(name));

  /** How many neighbours of its suit a pair gets, for each placement; low places first. */
  function best() {
    const board = new Map();
    const heights = [0, 0, 0, 0, 0, 0];
    for (const cell of stage().querySelectorAll(".cell.piece")) {
      const [x, y] = [at(cell, "--x"), at(cell, "--y")];
      board.set(`${x},${11 - y}`, suit(cell));
      heights[x] = Math.max(heights[x], 12 - y);
    }
    const pair = ["axis", "rotor"].map((half) => suit(find(`.cell.falling.${half}`)));
    let found = { value: -Infinity, x: 2, r: 0 };
    for (let x = 0; x < 6; x++)
      for (let r = 0; r < 4; r++) {
        const other = x + [0, 1, 0, -1][r];
        if (other < 0 || other > 5) continue;
        const level = [heights[x] + (r === 2 ? 1 : 0), heights[other] + (r === 0 ? 1 : 0)];
        const cells = [[x, level[0]], [other, level[1]]];
        const with_pair = new Map(board);
        cells.forEach(([cx, cy], i) => with_pair.set(`${cx},${cy}`, pair[i]));
        let value = -0.4 * Math.max(...level) - (Math.max(...level) > 8 ? 20 : 0);
        cells.forEach(([cx, cy], i) => {
          for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]])
            if (with_pair.get(`${cx + dx},${cy + dy}`) === pair[i]) value++;
        });
        if (value > found.value) found = { value, x, r };
      }
    return found;
  }

  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const asks = (what) => find(`${what}:not(:disabled):not([aria-disabled=true])`);

  /** Place one pair; answer what is asked before, or with `answers` false stop there. False: nothing was placed. */
  async function place(answers = true) {
    for (let i = 0; i < 3000; i++) {
      await pause(10);
      if (document.querySelector(".after") || (!answers && picks > 0)) return false;
      if (find("[data-continue]")) find("[data-continue]").click();
      else if (stage().dataset.asked !== "yes") continue;
      else if (find("[data-pick]")) (asks("[data-confirm]") ?? find("[data-suggest]")).click();
      else if (asks("[data-column]") && find(".cell.falling.axis")) {
        const { x, r } = best();
        for (let turn = 0; turn < r; turn++) {
          find("[data-turn]").click();
          await pause(0);
        }
        (asks(`[data-action="${4 * x + r}"]`) ?? asks("[data-action]"))?.click();
        seen.placed++;
        return true;
      }
    }
    throw new Error("nothing happens");
  }
  return { seen, place };
})();
