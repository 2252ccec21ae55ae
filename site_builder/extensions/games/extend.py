"""The function `game` of solvers."""

from site_builder.extension import Site, SolverAnswer, Verified


def extend(site: Site) -> None:
    """Register the function of solvers."""
    site.solver_function("game", _verify)


def _verify(answer: SolverAnswer) -> Verified:
    from site_builder.extensions.games.solver_games import verified  # paid for by solvers that have a game

    return verified(answer)
