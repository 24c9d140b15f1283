/** Gives the headings of a surface levels that fit the page and skip none. */

import type {SurfaceComponentsModel} from '@a2ui/web_core/v0_9';

/** A surface's own heading, for screen readers, is of level 2. */
const ABOVE = 2;

const RANKS: Record<string, number> = {h1: 1, h2: 1, h3: 2, h4: 3, h5: 3};

type Properties = Record<string, unknown>;

/** Returns the level of each text that is a heading, in reading order from the root. */
export function headingLevels(components: SurfaceComponentsModel): Map<string, number> {
  const levels = new Map<string, number>();
  const seen = new Set<string>();
  let previous = ABOVE;
  const visit = (id: string): void => {
    const component = components.get(id);
    if (!component || seen.has(id) || component.type === 'Button') return;
    seen.add(id);
    const rank = component.type === 'Text' && RANKS[String(component.properties['variant'])];
    if (rank) {
      previous = Math.min(ABOVE + rank, previous + 1);
      levels.set(id, previous);
    }
    childrenOf(component.properties as Properties).forEach(visit);
  };
  visit('root');
  return levels;
}

/** The components that one refers to, in the order in which they are read. */
function childrenOf({child, children, tabs, trigger, content}: Properties): string[] {
  const list = Array.isArray(children) ? children : [templateOf(children)];
  const inTabs = Array.isArray(tabs) ? tabs.map((tab: Properties) => tab['child']) : [];
  return [child, ...list, ...inTabs, trigger, content].filter(
    (id): id is string => typeof id === 'string',
  );
}

function templateOf(children: unknown): unknown {
  return (children as {componentId?: unknown} | undefined)?.componentId;
}
