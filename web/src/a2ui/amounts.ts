/** Writes the numbers of charts and tables, and reads them from a surface's data. */

/** What a chart shows for one label. */
export interface Point {
  etiqueta: string;
  valor: number;
}

/** Writes numbers as the reader does, as money where a currency (ISO 4217) is given. */
export function amounts(locale: string, currency?: unknown): (value: number) => string {
  const plain = new Intl.NumberFormat(locale);
  if (!currency) return (value) => plain.format(value);
  try {
    const style = {style: 'currency', currency: String(currency), maximumFractionDigits: 2} as const;
    const money = new Intl.NumberFormat(locale, style);
    return (value) => money.format(value);
  } catch {
    return (value) => `${plain.format(value)} ${currency}`;
  }
}

/** A list's items that are objects: a surface's data may hold anything. */
export function rowsOf(data: unknown): Record<string, unknown>[] {
  if (!Array.isArray(data)) return [];
  return data.filter((item) => typeof item === 'object' && item !== null);
}

/** The rows that have a number in `field`; the others cannot be drawn. */
export function pointsOf(data: unknown, field = 'valor'): Point[] {
  return rowsOf(data).flatMap((row) => {
    const valor = typeof row[field] === 'number' ? row[field] : Number.NaN;
    return Number.isFinite(valor) ? [{etiqueta: String(row['etiqueta'] ?? ''), valor}] : [];
  });
}
