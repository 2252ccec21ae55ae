"""`solve NAME --here` runs the solver in the process of the command."""

import pytest

SOLVER = '''"""A sum."""


def solve(n: int = 3):
    print("adding up to", n)
    return {"sum": sum(range(n + 1)) // (n - 4)}


def check_formula(n):
    """n (n + 1) / 2"""
    return {"sum": n * (n + 1) // 2 // (n - 4)}
'''


@pytest.fixture
def summing(project):
    project.write("solvers/summing.py", SOLVER)
    return project


def test_what_the_solver_prints_is_shown_with_its_values_and_checks(summing):
    said = summing.run("solve", "summing", "--here", "--set", "n=9")

    assert said.out.startswith("adding up to 9\n")
    assert "sum  9" in said.out
    assert "n (n + 1) / 2" in said.out


def test_a_breakpoint_stops_in_the_solver(summing):
    summing.write("solvers/summing.py", SOLVER.replace("    return {", "    breakpoint()\n    return {", 1))

    said = summing.run("solve", "summing", "--here", status=None)  # its input is empty, which ends the debugger

    assert "solvers/summing.py(7)solve()" in said.out
    assert "(Pdb)" in said.out


def test_a_figure_of_matplotlib_is_drawn(summing):
    drawn = """

def figure_line(sum):
    \"\"\"A line.

    It rises.
    \"\"\"
    import matplotlib.pyplot as plt

    plt.plot([0, sum])
    return plt.gcf()
"""
    summing.write("solvers/summing.py", SOLVER + drawn)

    assert "\nfigures: line\n" in summing.run("solve", "summing", "--here").out


def test_an_exception_has_its_place(summing):
    said = summing.run("solve", "summing", "--here", "--set", "n=4", status=1)

    assert "solve summing: solver 'summing' failed: solvers/summing.py:6: ZeroDivisionError" in said.err


def test_a_parameter_that_does_not_exist_is_a_wrong_command_line(summing):
    said = summing.run("solve", "summing", "--here", "--set", "m=4", status=2)

    assert "m" in said.err


def test_a_sweep_does_not_go_with_it(summing):
    assert (
        "--here runs one set of parameters"
        in summing.run("solve", "summing", "--here", "--sweep", "n=1:3:3", status=2).err
    )
