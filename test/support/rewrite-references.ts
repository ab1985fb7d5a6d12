import {
  applyEdits,
  findRewrite,
  type Renames,
} from '../../src/content/markup/rewrite-references.ts'

/** The rewritten markup; `replaced` counts inserts. */
export function rewriteReferences(
  source: string,
  renames: Renames,
): { html: string; replaced: number } {
  const { edits, replaced } = findRewrite(source, renames)
  return { html: applyEdits(source, edits), replaced }
}
