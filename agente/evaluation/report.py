"""Writes verdicts: a table for people, JUnit for machines."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.etree import ElementTree

from .play import Verdict

WIDTH = 64


def table(verdicts: Iterable[Verdict]) -> str:
    """Return one line a scenario, and one for each thing that was wrong."""
    lines = []
    for verdict in verdicts:
        mark = "✗" if verdict.wrong else "✓"
        lines.append(
            f"{mark} {verdict.scenario.name:<{WIDTH}} {verdict.seconds:6.1f} s"
        )
        lines += [f"    {wrong}" for wrong in verdict.wrong]
    return "\n".join(lines)


def junit(verdicts: Sequence[Verdict], path: Path) -> None:
    """Write a JUnit file."""
    failed = sum(bool(verdict.wrong) for verdict in verdicts)
    suite = ElementTree.Element(
        "testsuite",
        name="maya.evaluate",
        tests=str(len(verdicts)),
        failures=str(failed),
        time=f"{sum(verdict.seconds for verdict in verdicts):.3f}",
    )
    for verdict in verdicts:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=verdict.scenario.site,
            name=verdict.scenario.name,
            time=f"{verdict.seconds:.3f}",
        )
        if verdict.wrong:
            failure = ElementTree.SubElement(case, "failure", message=verdict.wrong[0])
            failure.text = "\n".join([*verdict.wrong, "", verdict.said])
    ElementTree.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)
