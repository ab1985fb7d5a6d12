const CLASS_ATTRIBUTE = /\bclass\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
/** Not parts of inserts and templates. */
const CLASS_NAME = /^[^<>"'`={}()/&]{1,100}$/

/** The classes in the attributes of markup, as often as they occur. It may find some in scripts and comments too. */
export function listClasses(html: string): string[] {
  return [...html.matchAll(CLASS_ATTRIBUTE)]
    .flatMap(([, double, single, bare]) => (double ?? single ?? bare ?? '').split(/\s+/))
    .filter((name) => CLASS_NAME.test(name))
}
