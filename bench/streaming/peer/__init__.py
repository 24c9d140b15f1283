"""django-eventstream as its documentation sets it up, in an environment of its own."""
