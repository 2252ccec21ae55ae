"""The posts that the builds are measured with: the same for every engine and on every day.

A post has about 1,000 words with everything in it: four sections of prose, 6 formulas, 2 blocks of code, a table, a
picture, 3 links, 3 of 40 tags, and the word `MARKER` once, which a measurement replaces to edit the post.
"""

import random
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from string import Template

MARKER = "zqmark0"
PICTURES = 8
TAGS = [
    f"{topic}-{kind}"
    for topic in ("graph", "lattice", "prime", "tiling", "parity", "search", "dynamic", "matrix", "modular", "string")
    for kind in ("puzzle", "proof", "method", "note")
]

_VOWELS = {**dict.fromkeys("bdklmnprstv", "aeio"), "f": "ae", "g": "ae", "z": "au"}
_SYLLABLES = [consonant + vowel for consonant in sorted(_VOWELS) for vowel in _VOWELS[consonant]]
_WORDS_OF_PROSE = 700
_INLINE = (
    r"a_{i,j} = \sum_{k=1}^{n} b_{i,k} c_{k,j}",
    r"O(n \log n)",
    r"x_{%d} \equiv %d \pmod{%d}",
    r"\lfloor \sqrt{n} \rfloor + %d",
    r"f(x) = \frac{x^2 + %d}{x - 1}",
    r"\{1, 2, \dots, %d\}",
    r"\phi(n) \le n - %d",
)
_DISPLAY = (
    r"\sum_{k=0}^{n} \binom{n}{k} x^k y^{n-k} = (x + y)^n",
    r"\int_0^1 \frac{x^{%d}}{1 + x^2} \, dx = \frac{\pi}{4} - \epsilon",
    r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}^{%d} = \prod_{i=1}^{n} \lambda_i",
    r"T(n) = 2 T(n/2) + %d n = \Theta(n \log n)",
)
_COUNTING = Template('''\
from functools import lru_cache

@lru_cache(maxsize=None)
def count_$word(n: int, last: int = $small) -> int:
    """Count the $word arrangements of length n."""
    if n == 0:
        return 1
    total = 0
    for step in range(1, $small + 1):
        if step != last:  # no two equal steps in a row
            total += count_$word(n - 1, step)
    return total % 1_000_000_007

print(f"answer: {count_$word($large)}")''')
_SEARCHING = Template("""\
import heapq

def solve_$word(grid, start=(0, 0)):
    rows, cols = len(grid), len(grid[0])
    best = dict()
    best[start] = grid[0][0]
    queue = [(grid[0][0], start)]
    while queue:
        cost, (r, c) = heapq.heappop(queue)
        if cost > best.get((r, c), 10**9):
            continue
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            a, b = r + dr, c + dc
            if 0 <= a < rows and 0 <= b < cols:
                new = cost + grid[a][b] * $small
                if new < best.get((a, b), 10**9):
                    best[a, b] = new
                    heapq.heappush(queue, (new, (a, b)))
    return best[rows - 1, cols - 1] % $large""")


@dataclass(frozen=True)
class Post:
    """One post; every engine has its own way to write the head."""

    slug: str
    title: str
    date: datetime
    tags: tuple[str, ...]
    body: str


def slug_of(number: int) -> str:
    """The name of a post, by its number from 0."""
    return f"post-{number:05d}"


def make_post(number: int, posts: int) -> Post:
    """The post of this number in a blog of so many posts: it links to another one of them."""
    chance = random.Random(f"post-{number}")
    body = _Prose(chance).body(number, chance.randrange(posts))
    date = datetime(2016, 1, 1, 12) + timedelta(days=chance.randrange(3650), minutes=number % 600)
    title = " ".join(_word(chance) for _ in range(5)).capitalize()
    return Post(slug_of(number), f"{title} {number}", date, tuple(chance.sample(TAGS, 3)), body)


def with_yaml_head(post: Post) -> str:
    """The file of a post for Puzzlepress and Hugo."""
    return (
        f'---\ntitle: "{post.title}"\ndate: {post.date:%Y-%m-%dT%H:%M:%SZ}\n'
        f"tags: [{', '.join(post.tags)}]\n---\n\n{post.body}"
    )


def with_pelican_head(post: Post) -> str:
    """The file of a post for Pelican."""
    return (
        f"Title: {post.title}\nDate: {post.date:%Y-%m-%d %H:%M}\nSlug: {post.slug}\n"
        f"Tags: {', '.join(post.tags)}\n\n{post.body}"
    )


def write_pictures(folder: Path) -> None:
    """The pictures that the posts share: PNG files, 120 by 80."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(PICTURES):
        (folder / f"fig{number}.png").write_bytes(_picture(number))


class _Prose:
    """Nonsense from a vocabulary of its own."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._vocabulary = [_word(chance) for _ in range(160)]
        self._words = 0

    def body(self, number: int, other: int) -> str:
        """The text of a post with so many words of prose at least; other: the number of the post that it links to."""
        return "\n\n".join(self._blocks(number, other)) + "\n"

    def _blocks(self, number: int, other: int) -> Iterator[str]:
        said, name, heading, inline = self._said, self._name, self._heading, self._inline
        yield f"{said(4)} The marker is {MARKER} here. See [the note](https://example.com/{name()})."
        yield f"Let {inline()} be given. {said(4)}"
        yield from (f"## {heading()}", said(5), self._display(), said(4))
        yield from (f"### {heading()}", f"{said(3)} Then {inline()} holds.", self._code(_COUNTING))
        yield from (f"## {heading()}", said(4), self._table())
        yield f"{said(3)} An [earlier post](/posts/{slug_of(other)}/) has {inline()}."
        yield from (f"## {heading()}", said(4), f"![Figure of {name()}](/images/fig{number % PICTURES}.png)", said(3))
        yield from (self._display(), f"### {heading()}")
        yield f"{said(4)} The bound {inline()} is tight; see [the source](https://example.org/{name()}/{name()})."
        yield from (self._code(_SEARCHING), f"## {heading()}")
        while self._words < _WORDS_OF_PROSE:
            yield said(3)

    def _name(self) -> str:
        return _word(self._chance)

    def _said(self, sentences: int) -> str:
        return " ".join(self._sentence() for _ in range(sentences))

    def _sentence(self) -> str:
        chance = self._chance
        length = chance.randint(8, 18)
        self._words += length
        words = [chance.choice(self._vocabulary) for _ in range(length)]
        for mark, share in (("**", 0.12), ("*", 0.12), ("`", 0.10)):
            if chance.random() < share:
                place = chance.randrange(length)
                words[place] = mark + words[place] + mark
        words[0] = words[0][:1].upper() + words[0][1:]
        return " ".join(words) + "."

    def _heading(self) -> str:
        return " ".join(self._name() for _ in range(3)).capitalize()

    def _inline(self) -> str:
        return f"${self._formula(_INLINE)}$"

    def _display(self) -> str:
        return f"$$\n{self._formula(_DISPLAY)}\n$$"

    def _formula(self, formulas: tuple[str, ...]) -> str:
        formula = self._chance.choice(formulas)
        return formula % tuple(self._chance.randint(2, 97) for _ in range(formula.count("%d")))

    def _code(self, template: Template) -> str:
        word = self._chance.choice(self._vocabulary)
        small, large = self._chance.randint(3, 9), self._chance.randint(10, 99)
        return f"```python\n{template.substitute(word=word, small=small, large=large)}\n```"

    def _table(self) -> str:
        rows = [[self._name() for _ in range(5)], ["---"] * 5]
        rows += [[str(self._chance.randint(1, 9999)) for _ in range(5)] for _ in range(6)]
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _word(chance: random.Random) -> str:
    return "".join(chance.choice(_SYLLABLES) for _ in range(chance.choice((1, 2, 2, 2, 3, 3))))


def _picture(number: int, width: int = 120, height: int = 80) -> bytes:
    chance = random.Random(number)
    colours = [bytes(chance.randrange(256) for _ in range(3)) for _ in range(6)]
    rows = (b"".join(colours[(x // 20 + y // 20) % 6] for x in range(width)) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows))
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
