"""Numbers as sums of Fibonacci numbers that are not neighbours, and what they tell about a total.

Source: Zeckendorf's theorem: every whole number has exactly one such sum over 1, 2, 3, 5, 8, 13, ...
"""


def fibonacci_parts(number: int) -> tuple[int, ...]:
    """The Fibonacci numbers, no two of them neighbours, that add up to `number`; the largest first."""
    fibonacci = [1, 2]
    while fibonacci[-1] <= number:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    parts = []
    for f in reversed(fibonacci):
        if f <= number:
            parts.append(f)
            number -= f
    return tuple(parts)


def is_losing_total(total: int) -> bool:
    """Whether some division of `total` pennies loses: the smallest Fibonacci part is 3, 8, 21, 55, ...

    a_k has an even number of zeros at the end of its Fibonacci digits, b_k is a_k with a zero more, and adding them
    moves every part of a_k up by two places. Source: own derivation; compared with the marked table by `solve`.
    """
    f, after_next = 3, 8
    smallest = fibonacci_parts(total)[-1]
    while f < smallest:
        f, after_next = after_next, 3 * after_next - f
    return f == smallest
