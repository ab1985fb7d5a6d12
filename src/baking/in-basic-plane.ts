/**
 * JSON with the characters escaped that take four bytes, which old tables can't hold: a name that is stored with an entity
 * may have one once it is read.
 */
export function escapeAstralCharacters(json: string): string {
  return json.replace(/[\ud800-\udfff]/g, (half) => `\\u${half.charCodeAt(0).toString(16)}`)
}
