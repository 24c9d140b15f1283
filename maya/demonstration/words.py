"""What the demo says, in Spanish where LANG is Spanish, else in English."""

import os
import sys

SPANISH, ENGLISH = 0, 1
WORDS = {
    "services": ("PostgreSQL y Valkey", "PostgreSQL and Valkey"),
    "migrate": ("Tablas", "Tables"),
    "static": ("Archivos estáticos", "Static files"),
    "seed": ("Datos de demostración", "Demo data"),
    "bank": ("Banco de demostración", "Demo bank"),
    "shop": ("Tienda de demostración", "Demo shop"),
    "web": ("Servidor web", "Web server"),
    "worker": ("Tareas (Celery con beat)", "Tasks (Celery with beat)"),
    "ready": (
        "Maya está en marcha. Ctrl-C lo para todo.",
        "Maya runs. Ctrl-C ends it.",
    ),
    "chat shop": ("Chat de la tienda", "The shop's chat"),
    "chat bank": ("Chat del banco", "The bank's chat"),
    "page shop": ("La tienda (entra como Ana)", "The shop (come in as Ana)"),
    "page bank": ("El banco (entra como Beto)", "The bank (come in as Beto)"),
    "admin": ("Administración", "Admin"),
    "api": ("API", "API"),
    "user": ("Usuario", "User"),
    "password": ("Contraseña (solo se muestra ahora)", "Password (shown only now)"),
    "kept": ("Contraseña", "Password"),
    "kept in": ("está en {path}", "it is in {path}"),
    "stopping": ("Parando…", "Stopping…"),
    "port": (
        "El puerto {port} está ocupado: libéralo, o elige otro con {variable}.",
        "Port {port} is in use: free it, or choose another with {variable}.",
    ),
    "not a port": (
        "{variable}={value} no es un puerto.",
        "{variable}={value} is not a port.",
    ),
    "not writable": (
        "No se puede escribir en {path}: {reason}.",
        "{path} cannot be written: {reason}.",
    ),
    "no database": (
        "La base de datos de DATABASE_URL no sirve: {reason}",
        "The database of DATABASE_URL will not do: {reason}",
    ),
    "ended": (
        "{name} ha terminado (código {code}); sus últimas líneas, de {log}:",
        "{name} has ended (code {code}); its last lines, from {log}:",
    ),
    "nothing": ("(no ha dicho nada)", "(it has said nothing)"),
    "silent": (
        "{name} no responde; sus últimas líneas, de {log}:",
        "{name} does not answer; its last lines, from {log}:",
    ),
}


def words(key: str, **values: object) -> str:
    """Returns a sentence in the reader's language, filled in with `values`."""
    language = SPANISH if os.environ.get("LANG", "").startswith("es") else ENGLISH
    return WORDS[key][language].format(**values)


def say(text: str) -> None:
    """Prints a line at once, also where nobody has a terminal."""
    print(text, flush=True)


def progress(key: str) -> None:
    """Prints the line of one step."""
    say(f"· {words(key)}")


def complain(text: str) -> None:
    """Prints what went wrong where errors belong."""
    print(text, file=sys.stderr, flush=True)
