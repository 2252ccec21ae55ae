"""A run of a post as a folder in a zip file that computes its answer again, without the site or its builder.

The same run, files and versions make the same bytes: on another day, by another user, in another folder.
"""

from collections.abc import Mapping
from io import BytesIO
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from site_builder.errors import Place, SiteError
from site_builder.extension import RunFacts
from site_builder.storage.file_fingerprints import BUILDER
from site_builder.values.plain_values import report

# What the folder holds beside the solver's own files, and the files of the builder among them.
BUILDERS = {
    "run.py": "site_builder/extensions/bundles/run.py",
    "site_builder/values/__init__.py": "site_builder/values/__init__.py",
    "site_builder/values/plain_values.py": "site_builder/values/plain_values.py",
}
_RUN, _REQUIREMENTS, _PARAMETERS, _EXPECTED, _README = OWN = (
    "run.py",
    "requirements.txt",
    "parameters.py",
    "expected.txt",
    "README.txt",
)
_NAMES = """\
import datetime
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
"""
"""What the values of parameters are written with."""
_PACKAGE = "solvers/__init__.py"
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # that a zip file can tell
_UNIX, _FILE_MODE = 3, 0o100644

_WORDS = """\
{name}: an answer to compute again

1. pip install -r requirements.txt
2. python run.py

This computes the answer of the solver {solver} for the parameters in parameters.py, prints it with a line for each
field, and compares it with expected.txt, which is what was published. It ends with status 0 and "the same as
published", or with status 1 and the first line that differs. It reads nothing but this folder and needs no network.

Exact numbers are written exactly, floating-point numbers with the 12 digits that do not depend on the machine; of what
is long there is the beginning, the size and a digest of the whole. requirements.txt names the versions of the libraries
with which the answer was published.

You may change parameters.py to see another answer, which then is not the published one. Fraction(1, 2) is exactly one
half.
"""


def builder_files() -> dict[str, bytes]:
    """The files of the builder that a bundle needs, by their paths: the contract of solvers, and what runs one."""
    contracts = [*(BUILDER / "contract").glob("*.py"), *BUILDER.glob("extensions/*/contract.py")]
    packages = {
        folder / "__init__.py" for path in contracts for folder in path.parents if folder.is_relative_to(BUILDER)
    }
    names = {path.relative_to(BUILDER.parent).as_posix() for path in (*contracts, *packages)} | {*BUILDERS.values()}
    return {name: (BUILDER.parent / name).read_bytes() for name in sorted(names)}


def bundle(facts: RunFacts) -> bytes:
    """The bytes of the zip file of a run.

    Raises SiteError where a file of the project has the name of one that every bundle has.
    """
    code, files = facts.code(), builder_files()
    if taken := sorted(set(OWN) & code.files.keys()):
        message = f"the solver {facts.solver} needs it, and a file of this name stands in every bundle already"
        raise SiteError(Place(taken[0]), message, "give it another name")
    given = {name: data for name, data in files.items() if name not in BUILDERS.values()}
    builders = {name: files[source] for name, source in BUILDERS.items()}
    texts = {
        _REQUIREMENTS: "".join(f"{library}=={version}\n" for library, version in sorted(code.libraries.items())),
        _PARAMETERS: _parameters_text(facts),
        _EXPECTED: report(facts.fields(), without=facts.parameters),
        _README: _WORDS.format(name=name_of(facts), solver=facts.solver),
    }
    own = {name: text.encode() for name, text in texts.items()}
    return _zipped({_PACKAGE: b""} | dict(code.files) | given | builders | own, name_of(facts))


def name_of(facts: RunFacts) -> str:
    """The name of a bundle and of the folder in it."""
    return f"{facts.solver}-{facts.name}"


def _parameters_text(facts: RunFacts) -> str:
    """The parameters as a module of Python."""
    lines = "".join(f"    {name!r}: {value!r},\n" for name, value in facts.parameters.items())
    return f"{_NAMES}\nSOLVER = {facts.solver!r}\nPARAMETERS = {{\n{lines}}}\n"


def _zipped(files: Mapping[str, bytes], folder: str) -> bytes:
    made = BytesIO()
    with ZipFile(made, "w", ZIP_STORED) as archive:
        for name in sorted(files):
            info = ZipInfo(f"{folder}/{name}", _FIRST_DAY)
            info.create_system = _UNIX
            info.external_attr = _FILE_MODE << 16
            archive.writestr(info, files[name])
    return made.getvalue()
