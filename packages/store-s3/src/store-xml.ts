// Stores answer in XML of a few elements without attributes that matter.

/** The text of the first element of this name; undefined if there is none. */
export function findTag(xml: string, name: string): string | undefined {
  return findTags(xml, name)[0]
}

/** The texts of all elements of this name. */
export function findTags(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    decode(text),
  )
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
}

function decode(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
}
