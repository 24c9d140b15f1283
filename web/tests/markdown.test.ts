// @vitest-environment happy-dom
import {describe, expect, it} from 'vitest';

import {plainText, renderBlocks, renderInline} from '../src/view/markdown.ts';
import {draw, SPANISH} from './dom.ts';

/** The markup that a text becomes, without Lit's marks and the words about new tabs. */
function markup(text: string): string {
  const place = draw(renderBlocks(text, SPANISH));
  place.querySelectorAll('.sr-only').forEach((node) => node.remove());
  return place.innerHTML.replace(/<!--.*?-->/gs, '').replace(/\s+</g, '<').trim();
}

describe('renderBlocks', () => {
  it.each([
    ['uno\ndos\n\ntres', '<p>uno<br>dos</p><p>tres</p>'],
    ['- uno\n- **dos**\n\n1. tres', '<ul><li>uno</li><li><strong>dos</strong></li></ul><ol><li>tres</li></ol>'],
    ['# Título\ntexto', '<p><strong>Título</strong></p><p>texto</p>'],
    ['*c* _d_ `e*f*`', '<p><em>c</em><em>d</em><code>e*f*</code></p>'],
    ['2 * 3 * 4 y tc_4821_x', '<p>2 * 3 * 4 y tc_4821_x</p>'],
    ['```\n<b>\n  x\n```', '<pre tabindex="0"><code>&lt;b&gt;\n  x</code></pre>'],
    ['<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
    ['[mal](javascript:alert(1))', '<p>mal)</p>'],
    ['[mal](http://otro.example)', '<p>mal</p>'],
    ['**sin cerrar', '<p>**sin cerrar</p>'],
    ['', ''],
  ])('%j', (text, expected) => expect(markup(text)).toBe(expected));

  it('marks links, and sends nobody along with them', () => {
    const place = draw(renderBlocks('Ve a https://a.example/x?b=1. O [aquí](https://b.example).', SPANISH));
    const links = [...place.querySelectorAll('a')];
    expect(links.map((link) => link.href)).toEqual(['https://a.example/x?b=1', 'https://b.example/']);
    for (const link of links) {
      expect([link.rel, link.target]).toEqual(['noopener noreferrer', '_blank']);
      expect(link.textContent).toContain('otra pestaña');
    }
  });
});

describe('renderInline', () => {
  it('makes no links where there is no language to name them in', () => {
    const place = draw(renderInline('**a** https://a.example/', null));
    expect(place.querySelector('a')).toBeNull();
    expect(place.textContent).toBe('a https://a.example/');
  });
});

describe('plainText', () => {
  it('leaves the words', () => {
    const text = '# Hola\n- **uno** y *dos*\n- [tres](https://a.example) de `tc_4821`';
    expect(plainText(text)).toBe('Hola\nuno y dos\ntres de tc_4821');
  });
});
