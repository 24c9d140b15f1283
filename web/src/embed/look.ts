/** How the button and its frame look on a page that is not ours. */

/** Sheets of a shadow tree, which a page's own policy and styles do not reach. */
export const LOOK = `
:host { all: initial; position: fixed; z-index: 2147483000; inset: auto 0 0 auto; }
:host([side=left]) { inset: auto auto 0 0; }
* { box-sizing: border-box; font: 16px/1.4 system-ui, sans-serif; }
.launcher { position: absolute; right: 20px; bottom: 20px; display: grid; place-items: center; width: 60px; height: 60px; padding: 0; border: 0; border-radius: 50%; background: var(--accent); color: var(--ink); box-shadow: 0 2px 6px #0003, 0 8px 24px #0003; cursor: pointer; }
:host([side=left]) .launcher, :host([side=left]) .greeting { right: auto; left: 20px; }
button:focus-visible { outline: 3px solid #1a66d6; outline-offset: 3px; box-shadow: 0 0 0 3px #fff; }
svg { width: 28px; fill: none; stroke: currentcolor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.count { position: absolute; top: -4px; right: -4px; min-width: 24px; padding: 0 6px; border: 2px solid #fff; border-radius: 12px; background: #a02128; color: #fff; font-size: 13px; font-weight: 700; text-align: center; }
.greeting { position: absolute; right: 20px; bottom: 92px; display: flex; align-items: start; gap: 4px; width: max-content; max-width: min(280px, calc(100vw - 40px)); padding: 6px 6px 6px 14px; border-radius: 14px; background: #fff; color: #1b1f23; box-shadow: 0 2px 6px #0002, 0 8px 24px #0003; }
.greeting button { border: 0; background: none; color: inherit; cursor: pointer; }
.greeting .say { padding: 8px 0; text-align: start; }
.greeting .shut { flex: none; width: 40px; height: 40px; border-radius: 50%; }
.greeting svg { width: 18px; }
iframe { position: absolute; right: 20px; bottom: 92px; width: min(410px, calc(100vw - 40px)); height: min(680px, calc(100vh - 112px)); border: 0; border-radius: 16px; background: #fff; box-shadow: 0 4px 12px #0003, 0 16px 48px #0004; }
:host([side=left]) iframe { right: auto; left: 20px; }
[hidden] { display: none !important; }
@media (max-width: 480px), (max-height: 480px) {
  :host([open]) { inset: 0; }
  :host([open]) iframe { inset: 0; width: 100%; height: 100%; border-radius: 0; }
  :host([open]) .launcher { display: none; }
}
@media (prefers-color-scheme: dark) { iframe { background: #131517; } }
@media print { :host { display: none; } }
`;

const CHAT = 'M4 5h16v11H9l-5 4z';
const CROSS = 'M6 6l12 12M18 6L6 18';

/** Returns a drawing as nodes: no page's policy minds those. */
export function drawing(name: 'chat' | 'cross'): SVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(space, 'svg');
  const line = document.createElementNS(space, 'path');
  picture.setAttribute('viewBox', '0 0 24 24');
  picture.setAttribute('aria-hidden', 'true');
  line.setAttribute('d', name === 'chat' ? CHAT : CROSS);
  picture.append(line);
  return picture;
}

/** Black or white, whichever is easier to see on a colour such as `#0d5f4a`. */
export function inkOn(colour: string): '#fff' | '#000' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = parseInt(colour.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? '#fff' : '#000';
}
