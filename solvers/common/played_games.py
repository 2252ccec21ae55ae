"""The check that many games played by a policy come out as often as its chance says."""

from fractions import Fraction

from site_builder.contract import Check


def games_played(won: float, games: int, chance: Fraction | float, seed: int, spare: int, draws: str = "") -> Check:
    """Games won of so many against the chance, within four standard errors of the binomial distribution.

    won: games, draws as halves. spare: games by which a chance so small that it gives hardly any win may miss besides.
    draws: a word on them for the detail.
    """
    expected = games * float(chance)
    error = max(0.0, expected * (1 - float(chance))) ** 0.5
    away = (won - expected) / max(error, 1)
    return Check(
        "games played by the policy",
        "simulation",
        round(won / games, 6),
        round(float(chance), 6),
        abs(won - expected) <= 4 * error + spare,
        f"{games} games, seed {seed}{draws}: {away:+.2f} standard errors from the computed chance; at most 4",
    )
