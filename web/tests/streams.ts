/** Makes streams of bytes for tests, cut wherever one likes. */

export function streamOf(...chunks: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) {
        controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
      }
      controller.close();
    },
  });
}

/** Cuts a text into pieces of one byte: the worst that a network can do. */
export function byteByByte(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return streamOf(...[...bytes].map((byte) => new Uint8Array([byte])));
}

export async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = [];
  for await (const item of items) gathered.push(item);
  return gathered;
}
