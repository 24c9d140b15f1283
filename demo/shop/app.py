"""The shop as one ASGI application: its page, its signed endpoint, its back room."""

from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from demo.door import Company, door_routes
from demo.shop import database, orders
from demo.shop.agent import Agent
from demo.shop.config import PEOPLE, Config
from demo.shop.control import Control
from demo.shop.mood import Moods
from demo.shop.refusal import Refusal
from demo.shop.storefront import storefront_routes


def build(config: Config) -> Starlette:
    """Prepare the database and return the application."""
    database.prepare(config.database, orders.today())
    moods, company = Moods(), _company(config)
    return Starlette(
        routes=[
            *door_routes(company),
            *storefront_routes(company),
            *Agent(config, moods).routes(),
            *Control(config, moods).routes(),
        ],
        exception_handlers={Refusal: _refused},
    )


def _company(config: Config) -> Company:
    """Return the shop's page, with the chosen customer's door in front."""
    first = PEOPLE[config.customer]
    return Company(
        name="Ladera",
        site_id=config.site_id,
        maya_url=config.maya_url,
        secret=config.secret,
        kid=config.kid,
        people={first.id: first} | PEOPLE,
        pages=Path(__file__).parent,
    )


async def _refused(request: Request, refusal: Exception) -> Response:
    if not isinstance(refusal, Refusal):
        raise refusal
    return refusal.response()
