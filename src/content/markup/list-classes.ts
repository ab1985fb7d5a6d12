const CLASS_ATTRIBUTE = /\bclass\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
/** Not parts of inserts and templates. */
const CLASS_NAME = /^[^<>"'`={}()/&]{1,100}$/

/** Characters of markup that are looked through at once. */
const PART_CHARACTERS = 64 * 1024
/** Classes that are listed at once: one attribute can have a million. */
const LISTED_AT_ONCE = 500

/** The classes in the attributes of markup, as often as they occur, a few at a time. It may find some in scripts and comments too. */
export function* listClasses(html: string): Generator<readonly string[]> {
  for (const part of partsOf(html)) {
    let names: string[] = []
    for (const [, double, single, bare] of part.matchAll(CLASS_ATTRIBUTE))
      for (const [name] of (double ?? single ?? bare ?? '').matchAll(/\S+/g)) {
        if (CLASS_NAME.test(name)) names.push(name)
        if (names.length < LISTED_AT_ONCE) continue
        yield names
        names = []
      }
    yield names
  }
}

/** Parts of markup that end where an element begins, so that no attribute is cut. */
function* partsOf(html: string): Generator<string> {
  for (let at = 0; at < html.length; ) {
    const end = html.indexOf('<', at + PART_CHARACTERS)
    yield html.slice(at, end < 0 ? undefined : end)
    at = end < 0 ? html.length : end
  }
}
