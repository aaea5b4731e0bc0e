"""The files of `deploy/`: what they name exists, and the tools that read them accept them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kingmaker.cli.app import COMMANDS
from kingmaker.server.settings import ServerSettings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
HADOLINT = shutil.which("hadolint", path=PATH)
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
GRACE = ServerSettings().grace_seconds


def command(instruction: str) -> list[str]:
    """The words of a command of the image."""
    [found] = re.findall(rf"^{instruction}(?: --\S+)* (?:CMD )?(\[.*\])$", DOCKERFILE, re.M)
    words: list[str] = json.loads(found)
    return words


def documents() -> Iterator[tuple[Path, Any]]:
    for path in [*DEPLOY.rglob("*.yaml"), *DEPLOY.rglob("*.yml")]:
        for document in yaml.safe_load_all(path.read_text()):
            yield path, document


def manifest(name: str) -> Any:
    return yaml.safe_load((KUBERNETES / name).read_text())


def container() -> Any:
    [found] = manifest("deployment.yaml")["spec"]["template"]["spec"]["containers"]
    return found


def test_every_yaml_file_is_one() -> None:
    assert len(list(documents())) >= 10
    assert all(isinstance(document, dict) for _, document in documents())


@pytest.mark.skipif(HADOLINT is None, reason="hadolint is not installed")
def test_hadolint_accepts_the_dockerfile() -> None:
    done = subprocess.run([str(HADOLINT), DEPLOY / "Dockerfile"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_image_runs_commands_and_flags_that_exist() -> None:
    program, name, *flags = command("CMD")
    assert (program, name) == ("kingmaker", "serve")
    settings = {word.removeprefix("--").replace("-", "_") for word in flags if word[:2] == "--"}
    assert settings <= set(ServerSettings.model_fields)
    assert command("HEALTHCHECK") == ["kingmaker", "health"]
    assert {name, "health"} <= set(COMMANDS)


def test_the_image_does_not_run_as_root() -> None:
    [user] = re.findall(r"^USER (\w+)$", DOCKERFILE, re.M)
    assert int(user) >= 1000
    assert f"--uid {user}" in DOCKERFILE
    pod = manifest("deployment.yaml")["spec"]["template"]["spec"]["securityContext"]
    assert pod["runAsUser"] == int(user)


def test_no_service_of_the_cluster_changes_settings_of_pods() -> None:
    """One that is called kingmaker, and has an address, would set KINGMAKER_PORT."""
    pod = manifest("deployment.yaml")["spec"]["template"]["spec"]
    assert pod["enableServiceLinks"] is False


def test_the_image_installs_extras_that_exist() -> None:
    [names] = re.findall(r"\.whl\)\[([\w,]+)\]", DOCKERFILE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(names.split(",")) <= set(project["optional-dependencies"])


def test_compose_names_files_and_settings_that_exist() -> None:
    file = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    for service in file["services"].values():
        for mount in service["volumes"]:
            source = mount.partition(":")[0]
            exists = (DEPLOY / source).exists() if source[0] == "." else source in file["volumes"]
            assert exists, mount
    server = file["services"]["kingmaker"]
    assert (DEPLOY / server["build"]["context"] / server["build"]["dockerfile"]).exists()
    given = {name.removeprefix("KINGMAKER_").lower() for name in server["environment"]}
    assert given <= set(ServerSettings.model_fields)
    assert float(server["stop_grace_period"].removesuffix("s")) > GRACE


def test_prometheus_reads_the_rules_and_the_port_of_the_image() -> None:
    file = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())
    assert all((DEPLOY / "prometheus" / name).exists() for name in file["rule_files"])
    [[target]] = [job["static_configs"][0]["targets"] for job in file["scrape_configs"]]
    words = command("CMD")
    port = words[words.index("--metrics") + 1].rpartition(":")[2]
    assert target == f"kingmaker:{port}"


def test_grafana_finds_its_dashboard_and_its_source() -> None:
    provisioning = DEPLOY / "grafana" / "provisioning"
    [source] = yaml.safe_load((provisioning / "datasources" / "prometheus.yml").read_text())[
        "datasources"
    ]
    [provider] = yaml.safe_load((provisioning / "dashboards" / "kingmaker.yml").read_text())[
        "providers"
    ]
    board = json.loads((DEPLOY / "grafana" / "kingmaker.json").read_text())
    assert {panel["datasource"]["uid"] for panel in board["panels"]} == {source["uid"]}
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    targets = [mount.split(":")[1] for mount in compose["services"]["grafana"]["volumes"]]
    assert f"{provider['options']['path']}/kingmaker.json" in targets


def test_the_settings_of_the_cluster_are_valid_and_its_ports_those(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in os.environ if name.startswith("KINGMAKER_")]:
        monkeypatch.delenv(name)
    settings = ServerSettings(config=KUBERNETES / "kingmaker.toml")
    ports = {each["name"]: each["containerPort"] for each in container()["ports"]}
    assert ports == {"grpc": settings.port, "metrics": settings.metrics_address[1]}
    assert container()["readinessProbe"]["grpc"]["port"] == settings.port
    [port] = manifest("service.yaml")["spec"]["ports"]
    assert port["port"] == settings.port
    annotations = manifest("deployment.yaml")["spec"]["template"]["metadata"]["annotations"]
    assert annotations["prometheus.io/port"] == str(ports["metrics"])
    given = {each["name"].removeprefix("KINGMAKER_").lower() for each in container()["env"]}
    assert given <= set(ServerSettings.model_fields)


def test_the_cluster_gives_a_server_the_time_to_drain() -> None:
    pod = manifest("deployment.yaml")["spec"]["template"]["spec"]
    assert pod["terminationGracePeriodSeconds"] > GRACE
    assert manifest("service.yaml")["spec"]["clusterIP"] == "None"


def test_the_cluster_scales_by_a_metric_of_the_server() -> None:
    spec = manifest("autoscaler.yaml")["spec"]
    [metric] = spec["metrics"]
    assert metric["pods"]["metric"]["name"] == "kingmaker_queue_age_seconds"
    assert metric["pods"]["metric"]["selector"]["matchLabels"] == {"class": "interactive"}
    assert spec["scaleTargetRef"]["name"] == manifest("deployment.yaml")["metadata"]["name"]


def test_kustomize_puts_the_manifests_together() -> None:
    file = manifest("kustomization.yaml")
    named = {*file["resources"], *file["configMapGenerator"][0]["files"], "kustomization.yaml"}
    assert named == {path.name for path in KUBERNETES.iterdir()}
    if shutil.which("kubectl") is None:
        pytest.skip("kubectl is not installed")
    made = subprocess.run(
        ["kubectl", "kustomize", KUBERNETES], check=True, capture_output=True, text=True
    )
    found = {each["kind"]: each for each in yaml.safe_load_all(made.stdout)}
    assert set(found) == {
        *("Namespace", "ConfigMap", "Service", "Deployment", "HorizontalPodAutoscaler")
    }
    pod = found["Deployment"]["spec"]["template"]
    assert found["Service"]["spec"]["selector"].items() <= pod["metadata"]["labels"].items()
    [settings] = [each for each in pod["spec"]["volumes"] if "configMap" in each]
    assert settings["configMap"]["name"] == found["ConfigMap"]["metadata"]["name"]


def test_systemd_reads_the_unit_and_finds_it_hardened(tmp_path: Path) -> None:
    text = (DEPLOY / "systemd" / "kingmaker.service").read_text()
    [stop] = re.findall(r"^TimeoutStopSec=(\d+)$", text, re.M)
    assert float(stop) > GRACE
    [program] = re.findall(r"^ExecStart=(\S+)", text, re.M)
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    unit = tmp_path / "kingmaker.service"
    unit.write_text(text.replace(program, "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert unit.name not in done.stderr
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=20", unit],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
