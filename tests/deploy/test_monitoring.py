"""Alert rules and dashboard ask only for what the server shows, and the page explains all of it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import pytest_asyncio
import yaml
from prometheus_client import Metric

from kingmaker.server.log_writer import LogWriter
from kingmaker.server.telemetry import sources
from tests.server.support import serving

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
ALERTS_TEST = Path(__file__).with_name("alerts.yml")
NAME = re.compile(r"\b(?:kingmaker|grpc_server|process)_\w+")
MATCHERS = re.compile(r"\{([^}]*)\}")
GROUPING = re.compile(r"\b(?:by|without) \(([^)]*)\)")
SUFFIXES = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}
OF_PROMETHEUS = {"instance", "job", "le"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def metrics(tmp_path_factory: pytest.TempPathFactory) -> list[Metric]:
    """All that a server with everything shows."""
    folder = tmp_path_factory.mktemp("monitoring")
    databases = {name: str(folder / f"{name}.sqlite") for name in ("ladders", "matches")}
    async with serving(**databases) as service:
        # As its task does at once, when the event loop comes to it.
        service.server._sampler._sample()
        found = list(service.server.metrics.registry.collect())
    with (folder / "log").open("wb") as file:
        writer = LogWriter(file.fileno())
        found += sources.of_log(writer)
        writer.close(1)
    return found


def names_of(metrics: list[Metric]) -> set[str]:
    return {f"{each.name}{suffix}" for each in metrics for suffix in SUFFIXES.get(each.type, ("",))}


def dashboard() -> Any:
    return json.loads((DEPLOY / "grafana" / "kingmaker.json").read_text())


def rules() -> list[dict[str, Any]]:
    file = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())
    return [rule for group in file["groups"] for rule in group["rules"]]


def queries() -> Iterator[str]:
    for panel in dashboard()["panels"]:
        yield from (target["expr"] for target in panel["targets"])
    yield from (variable["query"] for variable in dashboard()["templating"]["list"])
    yield from (rule["expr"] for rule in rules())


@pytest.mark.asyncio(loop_scope="module")
async def test_every_metric_of_dashboard_and_rules_is_shown(metrics: list[Metric]) -> None:
    shown = names_of(metrics)
    for query in queries():
        assert set(NAME.findall(query)) <= shown, query


@pytest.mark.asyncio(loop_scope="module")
async def test_every_metric_of_our_own_is_on_the_dashboard(metrics: list[Metric]) -> None:
    asked = {name for query in queries() for name in NAME.findall(query)}
    ours = [each for each in metrics if each.name.startswith("kingmaker_")]
    unused = {each.name for each in ours if not names_of([each]) & asked}
    of_little_use = {"build", "ladder_games_in_play", "matches_driven"}
    assert unused == {f"kingmaker_{name}" for name in of_little_use}


@pytest.mark.asyncio(loop_scope="module")
async def test_every_label_of_a_query_is_one_of_its_metrics(metrics: list[Metric]) -> None:
    labels = {label for each in metrics for label in labels_of(each)} | OF_PROMETHEUS
    for query in queries():
        asked = {part.partition("=")[0].rstrip("!").strip() for part in matchers_of(query)}
        asked |= {part.strip() for group in GROUPING.findall(query) for part in group.split(",")}
        assert asked <= labels, query


@pytest.mark.asyncio(loop_scope="module")
async def test_the_page_for_operators_explains_every_metric_and_alert(
    metrics: list[Metric],
) -> None:
    page = (ROOT / "docs" / "operating.md").read_text()
    names = {each.name for each in metrics if not each.name.startswith("process_")}
    missing = {name for name in names if f"`{name}" not in page}
    assert not missing
    assert not {rule["alert"] for rule in rules() if f"`{rule['alert']}`" not in page}


def test_rules_say_what_they_mean() -> None:
    assert len(rules()) == len({rule["alert"] for rule in rules()}) > 5
    for rule in rules():
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"]


def test_queries_are_promql() -> None:
    for query in queries():
        query = query.replace("$__rate_interval", "5m").replace("$instance", "any")
        if not query.startswith("label_values("):  # Grafana's own
            promql_parser.parse(query)


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
@pytest.mark.parametrize(
    ("command", "path"),
    [
        (["check", "rules"], DEPLOY / "prometheus" / "alerts.yml"),
        (["check", "config"], DEPLOY / "prometheus" / "prometheus.yml"),
        (["test", "rules"], ALERTS_TEST),
    ],
)
def test_promtool_accepts_rules_and_sees_them_fire(command: list[str], path: Path) -> None:
    done = subprocess.run(["promtool", *command, path.name], cwd=path.parent, capture_output=True)
    assert done.returncode == 0, done.stdout.decode()


def test_the_test_of_the_rules_has_each_of_them_fire() -> None:
    cases = [
        case
        for test in yaml.safe_load(ALERTS_TEST.read_text())["tests"]
        for case in test["alert_rule_test"]
    ]
    for is_fired in (True, False):
        found = {case["alertname"] for case in cases if ("exp_alerts" in case) is is_fired}
        assert found == {rule["alert"] for rule in rules()}


def test_panels_have_a_place_of_their_own() -> None:
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in dashboard()["panels"]]
    assert len(set(places)) == len(places)
    assert len({panel["id"] for panel in dashboard()["panels"]}) == len(places)


def matchers_of(query: str) -> Iterator[str]:
    for group in MATCHERS.findall(query):
        yield from (part for part in group.split(",") if part.strip())


def labels_of(metric: Metric) -> set[str]:
    """Its labels, also those of which no sample is there yet."""
    known = {label for sample in metric.samples for label in sample.labels}
    return known | EMPTY.get(metric.name, set())


EMPTY = {
    "grpc_server_handled": {"grpc_service", "grpc_method", "grpc_code"},
    "kingmaker_refusals": {"reason", "limit"},
    "kingmaker_searches": {"game", "engine"},
}
"""Labels of metrics that show nothing before the first call; test_metrics.py reads them with it."""
