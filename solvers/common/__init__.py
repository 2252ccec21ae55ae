"""Mathematics and drawing that two or more puzzles share."""
