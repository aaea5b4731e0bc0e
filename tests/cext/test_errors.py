"""Values and lists of right values in messages."""

import pytest

from kingmaker.cext.errors import as_list, quoted, shown, wrong_type


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("é", "'é'"),
        ("a\nb", "'a\\nb'"),
        ("", "''"),
        (7, "7"),
        (True, "true"),
        (None, "null"),
        (["king", 2], '["king", 2]'),
        ([{"observer": 1}], '[{"observer": 1}]'),
        ({"é": False}, '{"é": false}'),
        ({(1, 2): 3}, "{(1, 2): 3}"),
    ],
)
def test_a_value_is_quoted_as_it_was_sent(value: object, text: str) -> None:
    assert quoted(value) == text


def test_a_long_value_is_cut() -> None:
    assert shown("x" * 100) == "x" * 60 + "..."
    assert shown(10**5000) == "a value too large to show"


def test_of_a_long_list_no_more_is_written_than_is_shown() -> None:
    # A number that Python does not write stands where nobody sees it.
    assert shown([1] * 50 + [10**5000]) == "[" + "1, " * 19 + "1,..."


def test_an_argument_of_the_wrong_kind_is_shown_as_python_writes_it() -> None:
    assert str(wrong_type("budget", None, "a Budget")) == "budget is None; it must be a Budget"
    long = str(wrong_type("budget", [1] * 99, "a Budget"))
    assert long == f"budget is [{'1, ' * 19}1,...; it must be a Budget"


def test_a_list_is_whole_if_it_fits() -> None:
    assert as_list(["ah", "as"], 6) == "ah, as"
    assert as_list([]) == ""


def test_a_list_that_is_cut_tells_how_many_it_leaves_out() -> None:
    assert as_list(["ah", "as", "2h", "2s"], 10) == "ah, as and 2 more"
    assert as_list(map(str, range(1000))).endswith(" more")
    assert "a value too large to show" in str(wrong_type("budget", 10**5000, "a Budget"))
