"""Maya's settings for tests: what the environment must hold, then the real ones."""

import os

# Subprocesses that tests start must agree with us, so these go by environment.
os.environ.setdefault("MAYA_SECRET_KEY", "a-key-for-tests-and-nothing-else-0123456789")
os.environ.setdefault(
    "MAYA_ENCRYPTION_KEYS", "dGVzdHMtYW5kLW5vdGhpbmctZWxzZS0wMTIzNDU2Nzg="
)

from maya.settings import *  # noqa: F403

# Hashing passwords well takes 0.1 s for each member of the cast.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
