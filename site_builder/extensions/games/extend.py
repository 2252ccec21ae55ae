"""The function `game` of solvers, and `play` and `has_game` of posts."""

from typing import Any

from site_builder.extension import Html, Page, Site, SolverAnswer, Verified


def extend(site: Site) -> None:
    """Register the functions, and the script that plays."""
    site.solver_function("game", _verify)
    site.function("play", _play)
    site.function("has_game", _has_game)
    site.assets("assets")


def _verify(answer: SolverAnswer) -> Verified:
    from site_builder.extensions.games.solver_games import verified  # paid for by solvers that have a game

    return verified(answer)


def _play(run: Any, page: Page) -> Html:
    from site_builder.extensions.games.play import play  # paid for by posts that have one

    return play(run, page)


def _has_game(run: Any, page: Page) -> bool:
    return "game" in page.facts_of(run).data
