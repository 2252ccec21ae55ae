"""Which code a function of a solver can reach, read from the text alone; no module of a project is ever imported here.

What is said here may be more than what really runs, never less.
"""

from site_builder.reach.definitions import Facts, facts_of
from site_builder.reach.libraries import environment_stamp
from site_builder.reach.project import Code
from site_builder.reach.walking import Reach, key_of, reach, solver_entries

__all__ = ["Code", "Facts", "Reach", "environment_stamp", "facts_of", "key_of", "reach", "solver_entries"]
