"""Mathematics that two or more puzzles share."""
