"""Which figures are measured, and that timing works from end to end."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from kingmaker.benchmarks import peers, timing, works
from kingmaker.benchmarks.catalogue import ABOUT, MEASUREMENTS
from kingmaker.benchmarks.figures import Measurement, run
from kingmaker.benchmarks.measure import Figure
from kingmaker.cext.errors import InputError


def fake(*names: str, is_long: bool = False) -> Measurement:
    """Make a measurement that finds 1 for each of its figures, at once."""

    def measure(quick: bool) -> Mapping[str, Figure]:
        return dict.fromkeys(names, Figure(1.0))

    return Measurement(dict.fromkeys(names, "a fake"), measure, is_long)


FAKES = (fake("a.rate", "a.ratio"), fake("b.rate"), fake("a.long", is_long=True))


def ignore(name: str, figure: Figure) -> None:
    pass


@pytest.mark.parametrize(
    ("only", "measured"),
    [
        ("", ["a.rate", "a.ratio", "b.rate"]),
        ("a", ["a.rate", "a.ratio"]),
        ("a.rat", ["a.rate", "a.ratio"]),
        ("a.rati", ["a.ratio"]),
        ("a.long", ["a.long"]),
        ("a.l", ["a.long"]),
        (("a.rati", "a.l"), ["a.ratio", "a.long"]),
    ],
)
def test_long_ones_are_measured_only_where_no_short_one_fits(
    only: str | tuple[str, ...], measured: list[str]
) -> None:
    assert list(run(FAKES, only, True, ignore)) == measured


def test_a_name_that_fits_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="no figure begins with 'c'"):
        run(FAKES, "c", True, ignore)


def test_each_figure_is_reported_as_soon_as_it_is_known() -> None:
    names: list[str] = []

    def fail(quick: bool) -> Mapping[str, Figure]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run([*FAKES, Measurement({"c": ""}, fail)], "", True, lambda name, _: names.append(name))
    assert names == ["a.rate", "a.ratio", "b.rate"]


def test_no_two_measurements_share_a_name() -> None:
    assert len(ABOUT) == sum(len(each.figures) for each in MEASUREMENTS)


@pytest.mark.slow
def test_works_are_timed_in_turn_and_keep_their_units() -> None:
    found = timing.time_in_turn([works.connect_four_playouts, works.leduc_poker_ismcts], quick=True)
    assert [set(each.units) for each in found] == [{"playouts", "plies"}, {"simulations"}]
    assert [len(each.seconds) for each in found] == [timing.QUICK_ROUNDS] * 2
    assert all(0 < seconds < 60 for each in found for seconds in each.seconds)


@pytest.mark.slow
def test_without_the_peer_only_our_own_figures_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "IS_INSTALLED", False)
    found = run(MEASUREMENTS, "leduc_poker.ismcts", True, ignore)
    assert list(found) == ["leduc_poker.ismcts.sims_per_s"]


def test_a_ratio_alone_can_not_be_had_without_the_peer() -> None:
    with pytest.raises(InputError, match=r"a\.ratio needs OpenSpiel or valgrind"):
        run([Measurement({"a.ratio": ""}, lambda quick: {})], "a.ratio", True, ignore)


def test_without_pyperf_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"bench needs pyperf: pip install 'kingmaker\[bench\]'"):
        run(FAKES, "", True, ignore)
