"""Steps of a build on their own, with a cache and workers that the test gives."""

from site_builder.pipeline.steps.context import Report, StepContext
from site_builder.project.config import Limits
from site_builder.project.extensions import load_extensions
from site_builder.solving.code.code_keys import CodeKeys
from site_builder.solving.code.libraries import environment_stamp
from site_builder.storage.file_fingerprints import digests, scan


def context_of(root, store, workers=None, codes=None, report=None, **more):
    """The context of a step in the project at `root`. codes: by default those of the project as it now is."""
    found = {} if codes else digests(scan(root), {})
    codes = codes or CodeKeys(root, store, found, environment_stamp(), load_extensions(root))
    return StepContext(root, workers or StandIn(), store, codes, Limits(), report or Report(), **more)


class StandIn:
    """Workers of a test; each kind has its own `submit`."""

    jobs = slots = 1

    def shares(self):
        """Its tasks are done at once, and never half."""
        return []


class Counted(Report):
    """For each stage how many steps it has, and how many were done."""

    def __init__(self):
        self.stages = []

    def stage(self, name, steps):
        self.stages.append([name, steps, 0])

    def step(self, count):
        self.stages[-1][2] += count
