"""Settings: the one file that reads the environment.

Nothing here raises: what is missing or wrong is reported by ``manage.py check``
(``maya/checks.py``) with an id and a hint, never by a traceback at import.
"""

import secrets
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent

# Who we are
DEBUG = env.bool("MAYA_DEBUG", default=False)
MAYA_SECRET_KEY = env.str("MAYA_SECRET_KEY", default="")
# Servers run no checks: without a key they get a random one, never a known one
SECRET_KEY = MAYA_SECRET_KEY or secrets.token_urlsafe(48)
MAYA_BASE_URL = env.str("MAYA_BASE_URL", default="http://127.0.0.1:8700").rstrip("/")
ALLOWED_HOSTS = env.list(
    "MAYA_ALLOWED_HOSTS", default=[urlsplit(MAYA_BASE_URL).hostname or ""]
)
CSRF_TRUSTED_ORIGINS = [MAYA_BASE_URL]
SECURE = MAYA_BASE_URL.startswith("https://")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SESSION_COOKIE_HTTPONLY = True
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SECURE
SECURE_REFERRER_POLICY = "same-origin"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SECURE else None

# Secrets at rest: Fernet keys, newest first (old ones still decrypt)
MAYA_ENCRYPTION_KEYS = env.list("MAYA_ENCRYPTION_KEYS", default=[])

# Exact origins exempt from the SSRF rules: demo and tests; check --deploy refuses
MAYA_DEV_ENDPOINTS = env.list("MAYA_DEV_ENDPOINTS", default=[])

# The ledger's clocks, in seconds (seed 002: 15 min, 24 h, retries after 1 and 5 min)
MAYA_PROPOSAL_SECONDS = env.int("MAYA_PROPOSAL_SECONDS", default=15 * 60)
MAYA_DECISION_SECONDS = env.int("MAYA_DECISION_SECONDS", default=24 * 60 * 60)
MAYA_RETRY_DELAYS = [
    float(s) for s in env.list("MAYA_RETRY_DELAYS", default=["60", "300"])
]
MAYA_LEASE_SECONDS = env.float("MAYA_LEASE_SECONDS", default=30)
MAYA_SWEEP_SECONDS = env.float("MAYA_SWEEP_SECONDS", default=2)
MAYA_HTTP_SECONDS = env.float("MAYA_HTTP_SECONDS", default=15)
MAYA_TURNS_PER_MINUTE = env.int("MAYA_TURNS_PER_MINUTE", default=60)
MAYA_CALLBACK_TOLERANCE_SECONDS = 300

# Services
DATABASE_URL = env.str("DATABASE_URL", default="")
REDIS_URL = env.str("REDIS_URL", default="")
DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        **(
            env.db_url_config(DATABASE_URL)
            if DATABASE_URL
            else {"ENGINE": "django.db.backends.postgresql", "NAME": "maya"}
        ),
        # A pool with CONN_MAX_AGE=0: persistent connections pile up under ASGI
        "CONN_MAX_AGE": 0,
    }
}
DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {
    "min_size": 1,
    "max_size": env.int("MAYA_DB_POOL", default=10),
    "timeout": 10,
}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL]},
    }
}

# Celery carries short wake-ups; rows are the queue. A frozen Redis must not hang
# whoever wakes it, hence the short time-outs and no publish retry.
CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = False
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 1,
    "socket_connect_timeout": 0.5,
    "visibility_timeout": 3600,
}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_ROUTES = {"agente.*": {"queue": "agente"}}
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE_FILENAME = env.str(
    "MAYA_BEAT_FILE", default=str(BASE_DIR / "var" / "beat")
)

# Mail to owners: EMAIL_URL=smtp+tls://user:password@host:587; by default to the log
vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
DEFAULT_FROM_EMAIL = env.str("MAYA_MAIL_FROM", default="maya@localhost")

# Telegram for owners: the bot's token; the webhook's secret (without one there is only
# long polling); seconds after a confirmation at which a waiting request is told again
MAYA_TELEGRAM_TOKEN = env.str("MAYA_TELEGRAM_TOKEN", default="")
MAYA_TELEGRAM_SECRET = env.str("MAYA_TELEGRAM_SECRET", default="")
MAYA_TELEGRAM_API = env.str("MAYA_TELEGRAM_API", default="https://api.telegram.org")
MAYA_TELEGRAM_SECONDS = env.float("MAYA_TELEGRAM_SECONDS", default=10)
MAYA_REMINDER_SECONDS = [
    float(s) for s in env.list("MAYA_REMINDER_SECONDS", default=["7200", "72000"])
]

# Traces, exported by OTLP over HTTP when an address is set
MAYA_OTLP_ENDPOINT = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="")

# The application
INSTALLED_APPS = [
    "daphne",
    "maya.apps.MayaConfig",
    "canales.apps.CanalesConfig",
    "agente.apps.AgenteConfig",
    "acciones.apps.AccionesConfig",
    "maya.apps.MayaAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "csp",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "acciones.audit.AddressMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "maya.urls"
ASGI_APPLICATION = "maya.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator")
]

# People: Spanish first, English too
LANGUAGE_CODE = "es"
LANGUAGES = [("es", "Español"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = env.str("MAYA_TIME_ZONE", default="UTC")
USE_TZ = True
USE_I18N = True

# Static files: the admin's, and the browser bundle that esbuild leaves in web/dist
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "var" / "static"
STATICFILES_DIRS = [
    folder
    for folder in (BASE_DIR / "web" / "dist", BASE_DIR / "static")
    if folder.is_dir()
]
WHITENOISE_USE_FINDERS = True

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "connect-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'self'"],
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["acciones.api.parsers.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "acciones.api.problems.problem",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Maya",
    "DESCRIPTION": "Talk to an agent that can act, safely.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "maya.schema.streams",
    ],
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s%(about)s %(message)s"}
    },
    "filters": {"about": {"()": "maya.lib.trace.About"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["about"],
        }
    },
    "root": {"handlers": ["console"], "level": env.str("MAYA_LOG", default="INFO")},
    # httpx logs each URL at INFO: noise, and addresses of customers' systems
    "loggers": {"httpx": {"level": "WARNING"}, "httpx2": {"level": "WARNING"}},
}
