"""The demo's ports: fixed, so that addresses can be bookmarked, and changeable."""

import os
import socket
from dataclasses import dataclass

from maya.demonstration.problem import DemoProblem
from maya.demonstration.words import words

HOST = "127.0.0.1"
DEFAULTS = {"MAYA_PORT": 8700, "SHOP_PORT": 8701, "BANK_PORT": 8702}


@dataclass(frozen=True)
class Ports:
    """Where Maya and the two invented companies listen."""

    maya: int
    shop: int
    bank: int

    @property
    def maya_url(self) -> str:
        """Returns Maya's origin."""
        return f"http://{HOST}:{self.maya}"

    @property
    def shop_url(self) -> str:
        """Returns the shop's origin."""
        return f"http://{HOST}:{self.shop}"

    @property
    def bank_url(self) -> str:
        """Returns the bank's origin."""
        return f"http://{HOST}:{self.bank}"


def free_ports() -> Ports:
    """Returns the ports to use; raises DemoProblem when one of them cannot be."""
    ports = {variable: chosen(variable) for variable in DEFAULTS}
    for variable, port in ports.items():
        if is_taken(port):
            raise DemoProblem(words("port", port=port, variable=variable))
    return Ports(ports["MAYA_PORT"], ports["SHOP_PORT"], ports["BANK_PORT"])


def chosen(variable: str) -> int:
    """Returns the port that the environment names, or the usual one."""
    value = os.environ.get(variable) or str(DEFAULTS[variable])
    if not value.isdecimal() or not 0 < int(value) < 1 << 16:
        raise DemoProblem(words("not a port", variable=variable, value=value))
    return int(value)


def is_taken(port: int) -> bool:
    """Tells if somebody listens there; what lingers of closed connections is nobody."""
    with socket.socket() as attempt:
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind((HOST, port))
        except OSError:
            return True
    return False
