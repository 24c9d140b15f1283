// The page works without this file: then the visitor presses the button themselves.
document.querySelector("form[data-door]").requestSubmit();
