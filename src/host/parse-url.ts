/**
 * Parses an absolute URL, or one that is relative to another; undefined if it is invalid. `URL.canParse` cannot replace it: Node 20 answers false for a valid URL with a Latin-1
 * letter (`https://müller.de/`) once the call has been optimized, after some thousand calls.
 */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
