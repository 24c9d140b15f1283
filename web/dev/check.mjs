/**
 * Looks at every state in a real browser: pictures at phone and desk size, light and dark,
 * accessibility by axe, and the content policy. Exits with 1 where anything is wrong.
 * `SURFACES` names a folder of further A2UI surfaces to look at; an argument, states.
 */

import {mkdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {chromium} from 'playwright-core';

import {serve} from './server.mjs';
import {addExamples, STATES} from './states.mjs';

const OUT = process.env.OUT ?? 'var/shots';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const LOOKS = [
  {name: 'phone', viewport: {width: 375, height: 812}, colorScheme: 'light'},
  {name: 'desk', viewport: {width: 1280, height: 800}, colorScheme: 'light'},
  {name: 'dark', viewport: {width: 375, height: 812}, colorScheme: 'dark'},
];

mkdirSync(OUT, {recursive: true});
if (process.env.SURFACES) addExamples(process.env.SURFACES);
const only = process.argv[2]?.split(',');
const names = ['empty', ...Object.keys(STATES)].filter((name) => !only || only.some((part) => name.includes(part)));
const server = await serve(0);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
let faults = 0;

for (const look of LOOKS) {
  const context = await browser.newContext({...look, locale: 'es-ES', bypassCSP: false});
  for (const name of names) await lookAt(context, look.name, name);
  await context.close();
}
await browser.close();
server.close();
console.log(faults ? `${faults} faults` : `no faults in ${names.length} states`);
process.exit(faults ? 1 : 0);

async function lookAt(context, look, name) {
  const page = await context.newPage();
  const said = [];
  page.on('console', (message) => {
    if (/error|warning/.test(message.type())) said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(String(error)));
  await page.goto(`${server.origin}/chat/${name}/`);
  await page.waitForSelector(name === 'empty' ? '.empty' : '.items');
  await page.waitForTimeout(400);
  const height = await page.evaluate(() => {
    const bars = document.querySelector('.bar').offsetHeight;
    const dock = document.querySelector('.dock').offsetHeight;
    return bars + dock + document.querySelector('.pane').scrollHeight;
  });
  const size = page.viewportSize();
  await page.setViewportSize({width: size.width, height: Math.max(size.height, height + 2)});
  await page.screenshot({path: `${OUT}/${name}-${look}.png`});
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  const cdp = await context.newCDPSession(page);
  await cdp.send('Page.setBypassCSP', {enabled: true});
  const violations = await axe(page);
  for (const fault of [...said, ...violations, ...(wide ? ['scrolls sideways'] : [])]) {
    faults += 1;
    console.log(`${name} ${look}: ${fault}`);
  }
  await page.close();
}

/** Evaluated by the debugger, so the page's own policy stays as it is. */
async function axe(page) {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const {violations} = await globalThis.axe.run(document);
    return violations.map(
      ({id, impact, nodes}) => `axe ${id} (${impact}) ${nodes.length}: ${nodes[0].html}`,
    );
  });
}
