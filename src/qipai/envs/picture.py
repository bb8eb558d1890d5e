"""Pictures of a position for `render_mode="rgb_array"`: the game's own drawing, in letters of 3 by 5 pixels.

A frame always has the same shape, so that frames make a film. Letters that the font does not have, such as
Chinese ones, become a box; lower case looks like upper case.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

ROWS, COLUMNS = 40, 100  # of letters; a longer drawing is cropped
TALL, WIDE = 6, 4  # cells of a letter, with the space after it
ZOOM = 2  # pixels per cell
CLOTH, INK, TURN = (24, 74, 58), (236, 232, 214), (255, 208, 92)  # background, letters, whose turn it is

# Letters, and their rows of three cells as octal digits.
_GLYPHS = """
0 75557 1 26227 2 71747 3 71717 4 55711 5 74717 6 74757 7 71122 8 75757 9 75717
A 25755 B 65656 C 34443 D 65556 E 74647 F 74644 G 34553 H 55755 I 72227 J 11152 K 55655 L 44447 M 57755
N 65555 O 25552 P 65644 Q 25563 R 65655 S 34216 T 72222 U 55557 V 55552 W 55775 X 55255 Y 55222 Z 71247
. 00002 , 00024 : 02020 ; 02024 - 00700 _ 00007 + 02720 * 05250 / 11244 | 22222 ( 12221 ) 42224 [ 32223
] 62226 < 12421 > 42124 = 07070 ? 71202 ! 22202 # 57575 % 51245 ' 22000 · 00200 ● 27772 ○ 25552 × 05250
"""
_FONT = dict(zip(_GLYPHS.split()[::2], _GLYPHS.split()[1::2], strict=True))
_BOX = "77777"  # unlike 0


def picture(drawing: str) -> NDArray[np.uint8]:
    """Return the text of a drawing as an image (height, width, 3)."""
    lit = np.zeros((ROWS * TALL, COLUMNS * WIDE), np.uint8)  # 1 ink, 2 ink of the line whose turn it is
    for row, line in enumerate(drawing.splitlines()[:ROWS]):
        ink = 2 if line.startswith(">") else 1
        for column, letter in enumerate(line[:COLUMNS]):
            if not letter.isspace():
                top, left = row * TALL, column * WIDE
                lit[top : top + 5, left : left + 3] = ink * _glyph(letter)
    colours = np.array([CLOTH, INK, TURN], np.uint8)
    return colours[lit].repeat(ZOOM, axis=0).repeat(ZOOM, axis=1)


def _glyph(letter: str) -> NDArray[np.uint8]:
    """Return which of 5 by 3 cells a letter fills."""
    rows = _FONT.get(letter.upper(), _BOX)
    return np.array([[int(row) >> 2 & 1, int(row) >> 1 & 1, int(row) & 1] for row in rows], np.uint8)
