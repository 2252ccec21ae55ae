"""Estimate: a simulated number with its standard error."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    """A mean of n independent values, such as a share of n simulated games, and its standard error.

    The filter `estimate` writes it as `0.7919 ± 0.0040`; no other filter writes it.
    """

    value: float
    standard_error: float
    n: int

    def __post_init__(self) -> None:
        if not (math.isfinite(self.value) and math.isfinite(self.standard_error)) or self.standard_error < 0:
            raise ValueError(f"an Estimate of {self.value} with a standard error of {self.standard_error}")
        if self.n < 2:
            raise ValueError(f"an Estimate from n = {self.n}; a standard error needs 2 values at least")
