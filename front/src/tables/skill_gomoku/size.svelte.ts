// How many lines the board on this page has. Events name points by x and y; the log needs it to say h8.

export const shown = $state({ size: 15 });
