// Whether fingers steer: sentences then speak of taps and not of keys.

export const isTouch = (): boolean => matchMedia("(hover: none) and (pointer: coarse)").matches;
