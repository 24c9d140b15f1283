/** Reads what the page says about this chat: the data attributes of its element. */

export interface Settings {
  site: string;
  /** What people call the site; empty where the page does not say. */
  siteName: string;
  lang: string;
  customerName: string;
  /** Messages that an empty chat offers to send. */
  suggestions: string[];
  /** It stands in a frame of the site's page. */
  isFramed: boolean;
  /** The site's own addresses: its pages may frame the chat, its images may show. */
  origins: string[];
}

export function readSettings({dataset}: HTMLElement): Settings {
  return {
    site: dataset['site'] ?? '',
    siteName: dataset['siteName'] ?? '',
    lang: dataset['lang'] ?? 'es',
    customerName: dataset['customerName'] ?? '',
    suggestions: readTexts(dataset['suggestions']),
    isFramed: 'embed' in dataset,
    origins: readTexts(dataset['origins']),
  };
}

/** A JSON list of texts; anything else counts as none. */
function readTexts(json: string | undefined): string[] {
  try {
    const list: unknown = JSON.parse(json ?? '[]');
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}
