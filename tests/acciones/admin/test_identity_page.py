"""The page about signed-in customers: its tool names each fault, its code works."""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jwt
import pytest
from django.urls import reverse

from acciones.admin.identity_page import snippets
from acciones.identity import verify
from maya.lib import signing
from tests.acciones.cast import SECRET, Cast

from .conftest import As

PAGE = "admin:identity"


def signed(change: dict[str, Any] | None = None, **jwt_options: Any) -> str:
    now = int(time.time())
    claims: dict[str, Any] = {
        "iss": "tienda",
        "aud": "maya",
        "sub": "ana",
        "iat": now,
        "exp": now + 300,
        "jti": "1",
    }
    claims = {k: v for k, v in (claims | (change or {})).items() if v is not None}
    options = {"key": SECRET, "headers": {"kid": "k1"}} | jwt_options
    return jwt.encode(claims, algorithm=options.pop("algorithm", "HS256"), **options)


def ask(house: Cast, entered: As, **form: str) -> list[Any]:
    answer = entered(house.owner).post(reverse(PAGE), {"site": house.site.pk, **form})
    assert answer.status_code == 200
    return list(answer.context["findings"])


def faults(house: Cast, entered: As, **form: str) -> list[str]:
    return [f.text for f in ask(house, entered, **form) if not f.fine]


def test_a_good_token_is_called_good(house: Cast, entered: As) -> None:
    found = ask(house, entered, token=signed())
    assert all(finding.fine for finding in found)
    assert "«ana»" in found[-1].text


NOW = int(time.time())


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: "not-a-token", "tres partes"),
        (lambda: "a.b.c", "base64url"),
        (lambda: signed(headers={}), "kid"),
        (lambda: signed(headers={"kid": "k9"}), "Valen: k1"),
        (lambda: signed(key="x" * 40), "no corresponde"),
        (lambda: signed(algorithm="HS512"), "HS512"),
        (lambda: signed({"iss": "otra"}), "iss"),
        (lambda: signed({"aud": ["maya"]}), "aud"),
        (lambda: signed({"sub": ""}), "sub"),
        (lambda: signed({"jti": None}), "jti"),
        (lambda: signed({"exp": None}), "exp"),
        (lambda: signed({"iat": NOW - 900, "exp": NOW - 600}), "Caducó"),
        (lambda: signed({"iat": NOW + 900, "exp": NOW + 950}), "futuro"),
        (lambda: signed({"exp": NOW + 90_000}), "diez minutos"),
        (lambda: signed({"iat": NOW * 1000, "exp": NOW * 1000 + 9}), "milisegundos"),
    ],
)
def test_each_fault_of_a_token_has_its_own_words(
    house: Cast, entered: As, make: Callable[[], str], said: str
) -> None:
    found = faults(house, entered, token=make())
    assert any(said in text for text in found), found


def test_a_signature_is_checked_over_its_exact_bytes(house: Cast, entered: As) -> None:
    now, body = str(int(time.time())), b'{"a":1}'
    good = signing.request_signature(SECRET, now, body)
    form = {"timestamp": now, "body": body.decode(), "signature": good}
    assert faults(house, entered, **form) == []
    callback = signing.callback_signature(SECRET, "run_1", now, body)
    assert (
        faults(house, entered, **form | {"signature": callback, "run_id": "run_1"})
        == []
    )
    for change, said in (
        ({"signature": good[3:]}, "v1="),
        ({"signature": good.upper().replace("V1", "v1")}, "minúsculas"),
        ({"body": body.decode() + "\n"}, "salto de línea"),
        ({"run_id": "run_1"}, "maf-callback-v1"),
        ({"timestamp": now + "000"}, "milisegundos"),
        ({"timestamp": "1700000000"}, "cinco minutos"),
        ({"timestamp": "ayer"}, "número"),
        ({"body": '{"a": 1}'}, "bytes originales"),
    ):
        found = faults(house, entered, **form | change)
        assert any(said in text for text in found), (change, found)


def test_only_owners_get_the_page_and_only_for_their_sites(
    house: Cast, entered: As
) -> None:
    for role in (house.teammate, house.viewer):
        assert entered(role).get(reverse(PAGE)).status_code == 403
    answer = entered(house.outsider).post(
        reverse(PAGE), {"site": house.site.pk, "token": signed()}
    )
    assert answer.context["findings"] is None


def test_it_warns_of_records_open_to_anybody(house: Cast, entered: As) -> None:
    client = entered(house.owner)
    assert "sin iniciar sesión" not in client.get(reverse(PAGE)).content.decode()
    house.refund.requires_customer = False
    house.refund.save()
    assert "sin iniciar sesión" in client.get(reverse(PAGE)).content.decode()


def test_code_stays_text_on_the_page(house: Cast, entered: As) -> None:
    page = entered(house.owner).get(reverse(PAGE)).content.decode()
    assert "<?php" not in page
    assert "&lt;?php" in page


# Each prints a token, then whether the request in its arguments is from Maya
RUNNERS = {
    "Python": (
        "python",
        "snippet.py",
        "import sys\nfrom request import is_from_maya\n"
        "body, *rest = sys.argv[1:]\nprint(token('ana', 'Ana'))\n"
        "print(str(is_from_maya(body.encode(), *rest)).lower())\n",
    ),
    "Node": (
        "node",
        "snippet.mjs",
        "import { isFromMaya } from './request.mjs';\n"
        "const [body, ...rest] = process.argv.slice(2);\n"
        "console.log(token('ana', 'Ana'));\n"
        "console.log(isFromMaya(Buffer.from(body), ...rest));\n",
    ),
    "PHP": (
        "php",
        "snippet.php",
        "require 'request.php';\n"
        "echo token('ana', 'Ana'), PHP_EOL;\n"
        "echo var_export(isFromMaya($argv[1], $argv[2], $argv[3]), true), PHP_EOL;\n",
    ),
}


@pytest.mark.parametrize("language", list(RUNNERS))
def test_the_code_to_copy_works(house: Cast, tmp_path: Path, language: str) -> None:
    program, name, end = RUNNERS[language]
    found = sys.executable if program == "python" else shutil.which(program)
    if found is None:
        pytest.skip(f"no {program} found; on Debian: apt-get install {program}-cli")
    [code] = [one for one in snippets(house.site) if one["language"] == language]
    (tmp_path / name).write_text(f"{code['token']}\n{end}")
    (tmp_path / f"request{Path(name).suffix}").write_text(code["request"])
    now, body = str(int(time.time())), '{"name":"López"}'
    good = signing.request_signature(SECRET, now, body.encode())
    for signature, answer in ((good, "true"), (good[:-1] + "x", "false")):
        ran = subprocess.run(
            [found, name, body, now, signature],
            cwd=tmp_path,
            env={"AGENT_SECRET": SECRET, "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
        )
        token, verdict = ran.stdout.split()
        assert verdict == answer
        assert verify(token, house.site).id == "ana"
