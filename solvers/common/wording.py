"""Numbers in captions, written as the site writes them in its text."""

from fractions import Fraction

THIN = "\N{NARROW NO-BREAK SPACE}"


def whole(number: int) -> str:
    """A whole number with its digits in groups of three from five digits on, and a proper minus sign."""
    digits = f"{abs(number):,}".replace(",", THIN) if abs(number) >= 10_000 else str(abs(number))
    return ("−" if number < 0 else "") + digits


def percent(chance: Fraction | float, decimals: int = 2) -> str:
    """A chance as a percentage; one that is not certain never reads as 0 or 100 %."""
    least = Fraction(1, 10**decimals)
    share = 100 * Fraction(chance)
    if 0 < share < least / 2:
        return f"less than {float(least):.{decimals}f}{THIN}%"
    if 100 - least / 2 < share < 100:
        return f"more than {float(100 - least):.{decimals}f}{THIN}%"
    return f"{float(share):.{decimals}f}{THIN}%"
