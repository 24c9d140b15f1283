"""What the application says when a turn cannot end as meant."""

FAILED = {
    "budget": (
        "Esto me está llevando más vueltas de las que debería, así que me detengo. "
        "Con este mensaje no se ha cambiado nada. ¿Puedes decírmelo de otra forma o "
        "por partes?"
    ),
    "model": (
        "No he podido terminar de responder: el servicio de lenguaje no contesta. "
        "Tu mensaje está guardado y con él no se ha cambiado nada; inténtalo de nuevo "
        "en un momento."
    ),
    "crashed": (
        "Algo falló mientras te respondía y no he podido terminar. Con este mensaje no "
        "se ha cambiado nada; inténtalo de nuevo en un momento."
    ),
    "no_agent": "Este sitio todavía no tiene un agente que pueda responderte.",
}
