"""The builder of Puzzlepress: posts and solvers in, a static site out. docs/architecture.md describes the packages."""

__version__ = "0.1.0"
