import pytest

from kingmaker.cext.errors import InputError
from kingmaker.ladder.specs import make_bot, parse_spec
from kingmaker.search.analysis import MEGABYTE, Budget
from kingmaker.search.position import new_game
from kingmaker.search.registry import ENGINES

CANONICAL = {
    "random": "random",
    " ismcts ": "ismcts:time=100ms",
    "greedy": "greedy:time=100ms",
    "ismcts:exploration=0.40,threads=1,time=0.1s": "ismcts:time=100ms,exploration=0.4",
    "mcts:simulations=010": "mcts:simulations=10",
    "flat:time=1.5ms,simulations=20,memory=2gb,threads=2": (
        "flat:time=1.5ms,simulations=20,memory=2048mb,threads=2"
    ),
    "ismcts:reuse=off": "ismcts:time=100ms",
    "ismcts:reuse=on,exploration=1,threads=2": (
        "ismcts:time=100ms,threads=2,reuse=on,exploration=1"
    ),
    "level:10,reuse=on": "level:10,time=100ms,reuse=on",
    "level:3": "level:3,time=100ms",
    "level:10,time=2m,memory=64mb": "level:10,time=120000ms",
    "ismcts:level=4,simulations=9": "level:4,engine=ismcts,simulations=9",
    "level:2,engine=pimc,depth=3": "level:2,engine=pimc,time=100ms,depth=3",
    "grpc://h:1": "grpc://h:1/time=100ms",
    "grpc://localhost:50051/time=50ms,level=5": "grpc://localhost:50051/level=5,time=50ms",
    "grpc://[::1]:80/z=1,engine=new,a=x": "grpc://[::1]:80/engine=new,time=100ms,a=x,z=1",
    " bot:rook@localhost:50051 ": "bot:rook@localhost:50051",
    "bot:Rook_2.1+x@[::1]:80": "bot:Rook_2.1+x@[::1]:80",
}
WRONG = {
    "": "there is no engine ''",
    "clever": "there is no engine 'clever'; engines are ismcts, mcts",
    "level": "is not a setting",
    "level:0": "level is '0'; it must be a whole number, 1 to 10",
    "level:11": "level is '11'",
    "level:three": "level is 'three'",
    "level:3,engine=clever": "there is no engine 'clever'",
    "level:3,exploration=1": "name the engine of this option",
    "level5": "; did you mean level:5?",
    "Level=5,time=1s": "; did you mean level:5?",
    "randm": "; did you mean random?",
    "level:3,engine=mtcs": "; did you mean mcts?",
    "level:3,simulation=400": "there is no setting 'simulation'; a bot has level, time, "
    "simulations, memory, threads and reuse, and options of its engine; did you mean simulations?",
    "ismcts:simulation=400": " besides; did you mean simulations?",
    "ismcts:explorations=1": " besides; did you mean exploration?",
    "ismcts:level=3,level=4": "level is given twice",
    "ismcts:engine=mcts": "engine is given twice",
    "ismcts:sims=10": "; a bot has level, time, simulations, memory, threads and reuse besides",
    "ismcts:depth=3": "engine ismcts has no option 'depth'; it has exploration",
    "ismcts:exploration=101": "exploration is '101'; it must be a number from 0 to 100",
    "ismcts:observers=none": "observers is 'none'; it must be single or multiple",
    "ismcts:time": "'time' is not a setting; write name=value",
    "ismcts:time=": "'time=' is not a setting",
    "ismcts:time=1ms,": "'' is not a setting",
    "ismcts:time=100": "time is '100'; write a number with its unit, ms or s or m",
    "ismcts:time=1h": "time is '1h'",
    "ismcts:time=-1ms": "time is '-1ms'",
    "ismcts:time=0ms": "milliseconds is 0",
    "ismcts:time=2000m": "milliseconds is",
    "ismcts:simulations=0": "simulations is '0'; it must be a whole number, 1 or more",
    "ismcts:simulations=1e3": "simulations is '1e3'",
    "ismcts:simulations=10000000000000": "simulations is 10000000000000",
    "ismcts:memory=64": "memory is '64'; write a number with its unit, mb or gb",
    "ismcts:memory=0.5mb": "memory_bytes is 524288",
    "ismcts:threads=0": "threads is '0'",
    "ismcts:threads=257": "threads is '257'; it must be a whole number, 1 to 256",
    "ismcts:reuse=yes": "reuse is 'yes'; it must be on or off",
    "flat:reuse=on": "reuse is on; flat keeps no tree, only ismcts does",
    "grpc://host:1/reuse=on": "reuse is on; a server keeps no trees",
    "random:time=1ms": "random does not search and has no settings",
    "grpc://": "'' is not an address; write grpc://<host>:<port>/<settings>",
    "grpc://host": "'host' is not an address",
    "grpc://host:0/": "'host:0' is not an address",
    "grpc://host:65536/": "'host:65536' is not an address",
    "grpc://ho st:1/": "is not an address",
    "grpc://host:1/level=11": "level is '11'",
    "bot:": "'' is not a bot's name; write 1 to 64 letters",
    "bot:@host:1": "'' is not a bot's name",
    "bot:a b@host:1": "'a b' is not a bot's name",
    "bot:a\n@host:1": "is not a bot's name",
    f"bot:{'x' * 65}@host:1": f"{'x' * 64!r} is not a bot's name",
    "bot:rook": "'' is not an address; write bot:<name>@<host>:<port>",
    "bot:rook@host": "'host' is not an address",
    "bot:rook@host:99999": "'host:99999' is not an address",
    "bot:rook@host:1/level=3": "'host:1/level=3' is not an address",
}


@pytest.mark.parametrize("text", CANONICAL)
def test_a_spec_has_one_canonical_text(text: str) -> None:
    assert parse_spec(text).text == CANONICAL[text]


@pytest.mark.parametrize("text", CANONICAL.values())
def test_reading_a_canonical_text_gives_it_back(text: str) -> None:
    assert parse_spec(text).text == text


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_is_a_bot(name: str) -> None:
    assert parse_spec(name).engine == name


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_spec_is_refused_with_what_would_be_right(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_spec(text)
    assert WRONG[text] in str(caught.value)
    assert repr(text) in str(caught.value)
    assert caught.value.field == "bot"


def test_the_clock_shortens_the_time_of_a_move() -> None:
    spec = parse_spec("ismcts:time=100ms,memory=8mb")
    assert spec.budget() == Budget(100, None, 8 * MEGABYTE)
    assert spec.budget(30).milliseconds == 30
    assert spec.budget(3000).milliseconds == 100


def test_the_clock_bounds_simulations_too() -> None:
    spec = parse_spec("ismcts:simulations=500")
    assert spec.budget() == Budget(None, 500)
    assert spec.budget(30) == Budget(30, 500)


def test_an_engine_that_cannot_play_a_game_is_refused() -> None:
    with pytest.raises(InputError, match="mcts can't search kuhn_poker"):
        parse_spec("mcts").check_game(new_game("kuhn_poker").game)


def test_an_option_that_does_not_go_with_a_game_is_refused() -> None:
    spec = parse_spec("ismcts:hostility=0.5")
    spec.check_game(new_game("hearts").game)
    with pytest.raises(InputError, match="needs observers=single"):
        spec.check_game(new_game("kuhn_poker").game)


def test_regret_is_refused_in_games_that_tell_no_history() -> None:
    spec = parse_spec("ismcts:selection=regret")
    spec.check_game(new_game("knights_duty").game)
    with pytest.raises(InputError, match="needs the history of knaves_out, and it has none"):
        spec.check_game(new_game("knaves_out").game)


def test_what_a_server_plays_is_for_the_server_to_check() -> None:
    parse_spec("grpc://h:1/engine=mcts").check_game(new_game("kuhn_poker").game)


def test_a_connected_bot_is_named_apart_from_its_server() -> None:
    spec = parse_spec("bot:rook@h:1")
    assert (spec.bot, spec.address) == ("rook", "h:1")
    spec.check_game(new_game("kuhn_poker").game)


def test_a_bot_without_a_name_is_called_by_its_spec() -> None:
    assert make_bot("level:03").name == "level:3,time=100ms"
    assert make_bot("level:3", "rook").name == "rook"
