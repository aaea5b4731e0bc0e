"""Settings come from flags, environment and file, in this order."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import ValidationError

from kingmaker.ladder.channel import VARIABLES
from kingmaker.server import settings
from kingmaker.server.settings import LogFormat, ServerSettings


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "kingmaker.toml"
    path.write_text(
        'port = 1001\nslots = 3\nhost = "0.0.0.0"\nanonymous = "player"\nlog_format = "json"\n'
    )
    return path


def test_defaults_are_valid() -> None:
    settings = ServerSettings()
    assert settings.host == "127.0.0.1"
    assert settings.max_message_bytes == 4 << 20


def test_flags_win_over_environment_and_environment_over_file(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINGMAKER_PORT", "1002")
    monkeypatch.setenv("KINGMAKER_SLOTS", "4")
    settings = ServerSettings(config=config, port=1003)
    assert (settings.port, settings.slots, settings.host) == (1003, 4, "0.0.0.0")
    assert settings.log_format is LogFormat.JSON


def test_the_environment_can_name_the_file(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINGMAKER_CONFIG", str(config))
    assert ServerSettings().slots == 3


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.toml"):
        ServerSettings(config=tmp_path / "nowhere.toml")


def test_a_pipe_may_have_the_settings(tmp_path: Path) -> None:
    """As in `kingmaker serve --config <(...)` of a shell."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with ThreadPoolExecutor(1) as writer:
        writer.submit(path.write_text, "port = 1001\n")
        assert ServerSettings(config=path).port == 1001


def test_a_folder_is_no_settings_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"settings file .* can't be read: Is a directory"):
        ServerSettings(config=tmp_path)


@pytest.mark.parametrize("name", ["web", "metrics"])
def test_an_address_needs_a_port(name: str) -> None:
    with pytest.raises(ValidationError, match="is not host:port"):
        ServerSettings(**{name: "127.0.0.1"})  # type: ignore[arg-type]
    with pytest.raises(ValidationError, match="is not host:port"):
        ServerSettings(**{name: "127.0.0.1:65536"})  # type: ignore[arg-type]


def test_the_address_of_metrics_is_read() -> None:
    assert ServerSettings(metrics="[::1]:9464").metrics_address == ("::1", 9464)
    assert ServerSettings(metrics="").metrics is None


def test_a_file_that_is_not_toml_is_named(tmp_path: Path) -> None:
    path = tmp_path / "kingmaker.toml"
    path.write_text("port = [")
    with pytest.raises(ValueError, match=r"kingmaker\.toml is not a TOML file"):
        ServerSettings(config=path)


def test_a_file_may_begin_with_the_mark_of_an_editor(tmp_path: Path) -> None:
    path = tmp_path / "kingmaker.toml"
    path.write_text("port = 1001\r\n", encoding="utf-8-sig", newline="")
    assert ServerSettings(config=path).port == 1001


def test_a_file_in_another_encoding_is_named(tmp_path: Path) -> None:
    path = tmp_path / "kingmaker.toml"
    path.write_text("port = 1001\n", encoding="utf-16")
    with pytest.raises(ValueError, match=r"kingmaker\.toml is not UTF-8, as TOML files are"):
        ServerSettings(config=path)


@pytest.mark.parametrize("line", ["port = true", "slots = false", "host = true"])
def test_truth_is_for_flags_alone(line: str, tmp_path: Path) -> None:
    path = tmp_path / "kingmaker.toml"
    path.write_text(f"{line}\n")
    name, _, truth = line.split()
    with pytest.raises(ValidationError, match=rf"{name}\n.* it is no flag, so it can't be {truth}"):
        ServerSettings(config=path)
    path.write_text("reflection = false\n")
    assert not ServerSettings(config=path).reflection


@pytest.mark.parametrize("key", ["prot", "PORT"])
def test_an_unknown_key_in_the_file_is_an_error(tmp_path: Path, key: str) -> None:
    path = tmp_path / "kingmaker.toml"
    path.write_text(f"{key} = 1\n")
    with pytest.raises(ValueError, match=rf"kingmaker\.toml has {key}, .* the nearest is port,"):
        ServerSettings(config=path)


@pytest.mark.parametrize("name", ["host", "tokens", "matches", "tls_certificate"])
def test_a_value_with_a_character_of_code_0_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "kingmaker.toml"
    path.write_text(f'{name} = "a\\u0000b"\n')
    with pytest.raises(ValidationError, match=rf"{name}\n.* it has a character of code 0"):
        ServerSettings(config=path)


def test_an_empty_host_is_refused() -> None:
    with pytest.raises(ValidationError, match=r"host\n.*at least 1 character"):
        ServerSettings(host="", anonymous="player")


@pytest.mark.parametrize(
    ("name", "value"),
    [("port", 70_000), ("slots", 0), ("grace_seconds", 0), ("client_share", 1.5)],
)
def test_a_value_out_of_range_is_an_error(name: str, value: float) -> None:
    with pytest.raises(ValidationError, match=name):
        ServerSettings.model_validate({name: value})


def test_the_default_budget_must_be_within_the_limits() -> None:
    with pytest.raises(ValidationError, match="default_seconds"):
        ServerSettings(default_seconds=5, max_seconds=1)
    with pytest.raises(ValidationError, match="default_memory_bytes"):
        ServerSettings(max_memory_bytes=1 << 20)


@pytest.mark.parametrize(
    ("misspelt", "nearest"),
    [
        ("KINGMAKER_PROT", "KINGMAKER_PORT"),
        ("kingmaker_slot", "KINGMAKER_SLOTS"),
        ("KINGMAKER_DEFAULT_SECOND", "KINGMAKER_DEFAULT_SECONDS"),
    ],
)
def test_a_misspelt_variable_is_refused_with_the_nearest_setting(
    misspelt: str, nearest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(misspelt, "5")
    with pytest.raises(ValueError, match=rf"{misspelt}, .* the nearest is {nearest},"):
        ServerSettings()


@pytest.mark.parametrize(
    "other",
    [
        "KINGMAKER_DATABASE",
        *VARIABLES,
        "KINGMAKERS",
        "PROT",
        "KINGMAKER_SERVICE_HOST",
        "KINGMAKER_SERVICE_PORT_GRPC",
        "KINGMAKER_PORT_50051_TCP_ADDR",
        "KINGMAKER_METRICS_SERVICE_HOST",
        "KINGMAKER_POSTGRES_PORT_5432_TCP",
        "KINGMAKER_POSTGRES_PORT",
    ],
)
def test_variables_that_are_not_for_the_service_are_left_alone(
    other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = ServerSettings()
    monkeypatch.setenv(other, "5")
    assert ServerSettings() == usual


def test_without_the_extra_a_server_with_http_starts_without_matches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    web = ServerSettings(web="127.0.0.1:0")
    assert web.has_matches
    monkeypatch.setattr(settings, "find_spec", lambda name: None)
    assert not web.has_matches
    assert ServerSettings(matches="matches.sqlite").has_matches  # and says what is missing


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"web_origins": "foo"},
            "'foo' is not an origin as browsers send it, such as https://games.example in lower "
            "case and without a default port, or *",
        ),
        ({"web_origins": "https://Games.example"}, "'https://Games.example' is not an origin"),
        ({"web_origins": "https://a.b:443"}, "'https://a.b:443' is not an origin"),
        ({"web_origins": "https://a.b/c"}, "'https://a.b/c' is not an origin"),
        (
            {"anonymous": "player,admin"},
            "there is no role 'admin'; roles are player, bot, operator",
        ),
        (
            {"trusted_proxies": "10.0.0.1/8"},
            "10.0.0.1/8 has host bits set; a network is 10.0.0.0/8",
        ),
        (
            {"proxy_header": "x-forwarded-for: "},
            "'x-forwarded-for: ' is not the name of a header, such as x-forwarded-for",
        ),
        ({"proxy_header": ""}, "'' is not the name of a header"),
        (
            {"bot_addresses": "10.0.0.7:50051, bots.example"},
            "'bots.example' is not host:port, such as 10.0.0.7:50051, or host:* for all ports",
        ),
        ({"bot_addresses": "*"}, "'*' is not host:port"),
        ({"bot_addresses": "bots.example:99999"}, "'bots.example:99999' is not host:port"),
        ({"bot_addresses": "grpc://bots.example:*"}, "'grpc://bots.example:*' is not host:port"),
    ],
)
def test_a_wrong_list_is_refused_with_what_is_right(given: dict[str, str], message: str) -> None:
    with pytest.raises(ValidationError) as refused:
        ServerSettings(web="127.0.0.1:0", **given)  # type: ignore[arg-type]
    [fault] = refused.value.errors()
    assert fault["loc"] == tuple(given)
    assert message in fault["msg"]


@pytest.mark.parametrize("addresses", ["", "10.0.0.7:50051, bots.example:*", "[::1]:* localhost:1"])
def test_addresses_of_bots_have_a_port_or_all(addresses: str) -> None:
    assert ServerSettings(bot_addresses=addresses).bot_addresses == addresses


@pytest.mark.parametrize(
    "origins", ["", "*", "null", "https://a.example/, http://localhost:5173, https://a.b:80"]
)
def test_origins_are_taken_as_browsers_send_them(origins: str) -> None:
    assert ServerSettings(web="127.0.0.1:0", web_origins=origins).web_origins == origins


def test_origins_without_a_port_to_call_are_refused() -> None:
    with pytest.raises(ValidationError, match="web_origins needs web, the HTTP port"):
        ServerSettings(web_origins="https://games.example")


@pytest.mark.parametrize("name", ["TLS_CERTIFICATE", "TLS_KEY", "TLS_CLIENT_CA", "TOKENS"])
def test_an_empty_path_is_refused_as_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"KINGMAKER_{name}", "")
    with pytest.raises(ValidationError, match="it is empty; give the path of a file"):
        ServerSettings()


def test_a_file_that_names_another_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('config = "other.toml"\n')
    with pytest.raises(ValueError, match=r"settings\.toml names another file of settings"):
        ServerSettings(config=path)


def test_a_table_in_the_file_is_refused_as_one(tmp_path: Path) -> None:
    path = tmp_path / "kingmaker.toml"
    path.write_text("[limits]\nslots = 1\n")
    with pytest.raises(ValueError, match=r"table \[limits\]; settings stand at the top level"):
        ServerSettings(config=path)
