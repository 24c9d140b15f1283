// Who is signed in here: a real shop knows it from its own session.
const who = document.querySelector("#who");
const leave = document.querySelector("#leave");
let person = sessionStorage.getItem("person");

// The shop's server signs who this is, each time that the chat asks.
async function identity() {
  if (!person) return null;
  const answer = await fetch("/door", {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams({ customer: person }),
  });
  return (await answer.json()).identity;
}

function show() {
  who.textContent = person ? `Sesión de ${person}` : "Sin iniciar sesión";
  leave.hidden = !person;
}

for (const button of document.querySelectorAll("[data-person]")) {
  button.addEventListener("click", () => {
    person = button.dataset.person;
    sessionStorage.setItem("person", person);
    show();
    Maya.identify(identity);
  });
}

leave.addEventListener("click", () => {
  person = null;
  sessionStorage.removeItem("person");
  show();
  Maya.signOut();
});

Maya.on("signInRequired", () => {
  document.querySelector("#doors").scrollIntoView({ block: "center" });
});

document.querySelector("#ask").addEventListener("click", () => Maya.open());
Maya.identify(identity);
show();
