"""What the companion is made of: `sbom` writes a CycloneDX list of it, `audit` asks whether a known
weakness is in one of the libraries. `make sbom`, `make audit`."""

from __future__ import annotations

import json
import sys
import tomllib
import urllib.error
import urllib.request
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.foundation.libraries import Library, libraries

ROOT = Path(__file__).parents[1]
DATABASE = "https://api.osv.dev/v1/querybatch"
"""Open Source Vulnerabilities: it is sent names and versions, and nothing else."""
PATIENCE_SECONDS = 20
UNREACHABLE, WEAK = 3, 1


def sbom() -> dict[str, Any]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid4()}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.now(UTC).isoformat(timespec="seconds"),
            "component": {
                "type": "application",
                "bom-ref": project["name"],
                "name": project["name"],
                "version": project["version"],
                "licenses": [{"expression": project["license"]}],
            },
        },
        "components": [_component(each) for each in libraries()],
        "dependencies": [
            {"ref": project["name"], "dependsOn": [_reference(each) for each in libraries()]}
        ],
    }


def _component(library: Library) -> dict[str, Any]:
    found: dict[str, Any] = {
        "type": "library",
        "bom-ref": _reference(library),
        "name": library.name,
        "version": library.version,
        "purl": _reference(library),
        "licenses": [{"license": {"name": library.licence}}],
    }
    if library.hashes:
        found["hashes"] = [{"alg": "SHA-256", "content": each} for each in library.hashes]
    return found


def _reference(library: Library) -> str:
    return f"pkg:pypi/{library.name}@{library.version}"


def audit() -> int:
    known = libraries()
    queries = [
        {"package": {"name": each.name, "ecosystem": "PyPI"}, "version": each.version}
        for each in known
    ]
    asked = urllib.request.Request(
        DATABASE, json.dumps({"queries": queries}).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE_SECONDS) as reply:  # noqa: S310
            results = _results(json.load(reply), len(known))
    except (urllib.error.URLError, OSError, ValueError) as away:
        print(f"NOT audited: the database of weaknesses cannot be reached ({away}).")
        print(f"{len(known)} libraries are locked; nothing is known of their weaknesses here.")
        return UNREACHABLE
    weak = 0
    for library, result in zip(known, results, strict=True):
        for each in result.get("vulns", []):
            weak += 1
            print(f"{library.name} {library.version}: {each['id']}")
    print(f"{len(known)} libraries asked about, {weak} known weaknesses.")
    return WEAK if weak else 0


def _results(answer: object, count: int) -> list[dict[str, Any]]:
    """One for each that was asked about; raises `ValueError` if it is no such answer."""
    results = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(results, list) or len(results) != count:
        raise ValueError("its answer makes no sense")
    return results


def main() -> int:
    match sys.argv[1:]:
        case ["sbom"]:
            print(json.dumps(sbom(), indent=1))
            return 0
        case ["audit"]:
            return audit()
        case _:
            print("say sbom or audit", file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main())
