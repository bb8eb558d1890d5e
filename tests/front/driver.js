// A person inside the page, who presses whatever glows. Tables mark what can be pressed: data-action a whole
// move, data-pick a part of a compound one, data-confirm the button that sends it, data-continue the end of a pause.
window.qipaiDriver = (() => {
  const usable = (e) =>
    !e.disabled && e.getAttribute("aria-disabled") !== "true" && e.dataset.action !== "null" &&
    e.getClientRects().length > 0 && getComputedStyle(e).visibility !== "hidden";
  const stage = () => document.querySelector(".stage");
  const asked = () => stage()?.dataset.asked === "yes";
  const all = (what) => [...stage().querySelectorAll(what)].filter(usable);
  let seed = 20240607;
  const draw = (n) => (seed = (seed * 48271) % 2147483647) % n;
  let timer = 0;

  /** One press: a finished compound move is confirmed, else something glowing is pressed. */
  function press() {
    const onward = stage() ? all("[data-continue]")[0] : undefined; // a pause of the table's own
    if (onward) onward.click();
    if (onward || !asked()) return false;
    const [confirm, actions, picks] = [all("[data-confirm]"), all("[data-action]"), all("[data-pick]")];
    const send = confirm.length > 0 && (picks.length === 0 || draw(10) < 6);
    const open = send ? confirm : actions.length > 0 ? actions : picks.length > 0 ? picks : confirm;
    if (open.length === 0) return false;
    open[draw(open.length)].click();
    return true;
  }

  /** Press until the hand is over. */
  function autoplay() {
    clearInterval(timer);
    timer = setInterval(() => (document.querySelector(".after") ? clearInterval(timer) : press()), 50);
  }

  /** What the coach points at: the action itself, or the marked parts of a compound move and then its button. */
  function follow(actions) {
    const onward = all("[data-continue]")[0];
    if (onward) return onward.click();
    if (!asked()) return;
    const whole = all("[data-action]").find((e) => actions.length === 1 && Number(e.dataset.action) === actions[0]);
    const part = all("[data-pick].hinted, [data-pick].hint:not([aria-pressed=true])")[0];
    (whole ?? part ?? all("[data-confirm]")[0])?.click();
  }

  /** A point where a finger reaches an element, or null: it is covered, or outside the screen. */
  function reach(e) {
    const { left, top, width, height } = e.getBoundingClientRect();
    for (const [a, b] of [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.15], [0.5, 0.85]]) {
      const [x, y] = [left + a * width, top + b * height];
      if (document.elementFromPoint(x, y)?.closest("button, [data-action], [data-pick]") === e) return { x, y };
    }
    return null;
  }

  /** Where to tap next, or null: nothing is asked. A tick keeps its choice, because some moves take two taps. */
  let [tapped, times, chosen] = ["", 0, 0];
  function target() {
    const onward = stage() ? all("[data-continue]")[0] : undefined;
    if (!onward && !asked()) return null;
    const unpicked = all("[data-pick]").filter((e) => e.getAttribute("aria-pressed") !== "true");
    const open = [[onward].filter(Boolean), all("[data-confirm]"), all("[data-action]"), unpicked].find(
      (some) => some.length > 0,
    );
    if (!open) return null;
    const { tick } = stage().dataset;
    if (tick !== tapped || times++ % 4 === 0) [tapped, times, chosen] = [tick, 1, draw(9973)];
    const e = open[chosen % open.length];
    return reach(e) ?? { covered: e.outerHTML.slice(0, 200) };
  }

  /** What has the focus: "" outside the stage and where keys set something else, else what Enter would do there. */
  function focus() {
    const e = document.activeElement;
    if (!e?.closest(".stage") || e.matches("select, input")) return "";
    if (!usable(e)) return "stage";
    if (e.hasAttribute("data-confirm")) return "confirm";
    return e.dataset.action !== undefined ? "action" : e.dataset.pick !== undefined ? "pick" : "stage";
  }

  return { press, autoplay, follow, focus, target };
})();
