"""The page of curl commands works when it is pasted."""

import os
import re
import subprocess
from pathlib import Path

from .product import ROOT, Product

ORDER = "4808"


def test_the_page_works_when_pasted(product: Product, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "curl.md").read_text()
    script = "\n".join(re.findall(r"```sh\n(.*?)```", page, re.DOTALL))
    pasted = subprocess.run(
        ["sh", "-c", script],
        env=os.environ
        | {
            "MAYA": product.maya,
            "SHOP": product.shop,
            "KEYS": str(product.keys),
            "ORDER": ORDER,
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    said = pasted.stdout.splitlines()
    assert pasted.returncode == 0, pasted.stderr
    assert "awaiting_owner" in said, pasted.stdout
    assert "wrong_state" in said
    assert said[-2] == "done", pasted.stdout
    [refund] = [r for r in product.refunds() if r["order_id"] == ORDER]
    assert refund["currency"] == "EUR"
