/** Says when to look again: a wake-up from the server, else the clock. */

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
const POLL_MS = 5_000;
/** A lost wake-up is found by this much slower look. */
const SAFETY_POLL_MS = 30_000;

export function watch(address: string, look: () => Promise<void>): void {
  let isOpen = false;
  let retry = FIRST_RETRY_MS;
  let busy = false;
  let again = false;
  let lastLook = Date.now();

  const lookOnce = async (): Promise<void> => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    try {
      do {
        again = false;
        lastLook = Date.now();
        await look();
      } while (again);
    } finally {
      busy = false;
    }
  };

  const connect = (): void => {
    const socket = new WebSocket(address);
    socket.addEventListener('open', () => {
      isOpen = true;
      retry = FIRST_RETRY_MS;
      void lookOnce();
    });
    socket.addEventListener('message', (event) => {
      if (isWakeUp(event.data)) void lookOnce();
    });
    socket.addEventListener('close', () => {
      isOpen = false;
      setTimeout(connect, retry);
      retry = Math.min(retry * 2, LAST_RETRY_MS);
    });
  };

  connect();
  setInterval(() => {
    if (Date.now() - lastLook >= (isOpen ? SAFETY_POLL_MS : POLL_MS)) void lookOnce();
  }, 1_000);
  addEventListener('online', () => void lookOnce());
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void lookOnce();
  });
}

/** The server greets and pings too; only a change is a reason to look. */
function isWakeUp(data: unknown): boolean {
  return typeof data === 'string' && data.includes('"changed"');
}
