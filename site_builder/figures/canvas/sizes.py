"""How much room a drawing has: on a desk, on a phone and on a share card.

The narrow one is as wide as the smallest phones, where figures reach from edge to edge, so that browsers only ever
enlarge it: what is 12 pixels high here is that high everywhere.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Room:
    """Sizes in CSS pixels. ticks_across, ticks_up: how many numbers an axis shows at most."""

    width: int
    curve_height: int
    map_height: int
    ticks_across: int
    ticks_up: int
    narrow: bool


WIDE = Room(width=680, curve_height=330, map_height=470, ticks_across=9, ticks_up=7, narrow=False)
NARROW = Room(width=320, curve_height=236, map_height=330, ticks_across=6, ticks_up=6, narrow=True)
ON_CARD = Room(width=344, curve_height=250, map_height=262, ticks_across=5, ticks_up=6, narrow=True)
