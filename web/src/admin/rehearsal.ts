/** Shows a rehearsal's answers as they come; whoever types is left alone. */

const LOOK_MS = 1_500;

async function look(talk: HTMLElement): Promise<void> {
  const answer = await fetch(location.href).catch(() => null);
  const html = answer?.ok ? await answer.text() : '';
  const fresh = new DOMParser().parseFromString(html, 'text/html').getElementById('talk');
  if (fresh && fresh.innerHTML !== talk.innerHTML) talk.replaceWith(fresh);
  follow();
}

function follow(): void {
  const talk = document.getElementById('talk');
  if (talk && 'answering' in talk.dataset) setTimeout(() => void look(talk), LOOK_MS);
}

follow();
