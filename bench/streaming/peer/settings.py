"""Django for django-eventstream, on the same PostgreSQL and Redis as Maya."""

import os
from urllib.parse import urlsplit

database = urlsplit(os.environ["DATABASE_URL"])
valkey = urlsplit(os.environ["REDIS_URL"])

SECRET_KEY = "a bench's"
DEBUG = False
ALLOWED_HOSTS = ["*"]
USE_TZ = True
INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django_eventstream",
]
MIDDLEWARE: list[str] = []
ROOT_URLCONF = "bench.streaming.peer.urls"
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": database.path.removeprefix("/"),
        "USER": database.username,
        "PASSWORD": database.password,
        "HOST": database.hostname,
        "PORT": database.port,
        # Without a pool: each of its streams holds a connection for as long as it
        # lasts, and a pool as small as Maya's would starve at the eleventh
        "CONN_MAX_AGE": 0,
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
EVENTSTREAM_REDIS = {"host": valkey.hostname, "port": valkey.port, "db": 2}
STORAGES = {
    "database": "django_eventstream.storage.DjangoModelStorage",
    "redis": "django_eventstream.storage.RedisStorage",
}
EVENTSTREAM_STORAGE_CLASS = STORAGES[os.environ["PEER_STORAGE"]]
EVENTSTREAM_STORAGE_CONNECTION = {
    "host": valkey.hostname,
    "port": valkey.port,
    "db": 3,
}
LOGGING_CONFIG = None
