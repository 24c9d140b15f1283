"""A bare Celery task: what our dispatch is compared with."""

import httpx
from celery import shared_task

client = httpx.Client(timeout=15)


@shared_task(name="bench.bare")
def bare(url: str, key: str) -> None:
    """Make the HTTP step and nothing else."""
    client.post(url, json={"runId": key}, headers={"x-maf-idempotency-key": key})
