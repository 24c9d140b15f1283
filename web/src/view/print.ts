/** Prints one receipt alone, which browsers also save as PDF. */

/** Marks the receipt, which the style sheet for paper then shows alone. */
const MARK = 'printing';

/** Opens the print dialogue for `receipt`, with all that it can unfold. */
export function printReceipt(receipt: HTMLElement): void {
  const folded = [...receipt.querySelectorAll('details')].filter(({open}) => !open);
  for (const details of folded) details.open = true;
  receipt.classList.add(MARK);
  addEventListener(
    'afterprint',
    () => {
      receipt.classList.remove(MARK);
      for (const details of folded) details.open = false;
    },
    {once: true},
  );
  print();
}
