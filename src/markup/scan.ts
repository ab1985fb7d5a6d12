import { buildTree } from './nest.ts'
import type { Markup, MarkupProblem } from './nodes.ts'
import { type Marks, readMarks } from './read-marks.ts'

const LIKE_AN_INSERT = /<!--\s*\/?svc\/[^>]*>?/g

/**
 * Parses the markup of a frame (decisions, section 6). Any string is markup: nothing is thrown, what
 * is wrong stands in `problems`. The report, the rename, the dependency graph and the bake all read
 * this tree.
 */
export function parseMarkup(source: string): Markup {
  const read = readMarks(source)
  const { nodes, problems } = buildTree(source, read.marks)
  return {
    source,
    nodes,
    hasDoctype: read.hasDoctype,
    hasBody: read.hasBody,
    problems: [...problems, ...findInsertsInText(source, read)],
  }
}

/** What looks like an insert but stands where HTML allows no comment, so that it stays text. */
function findInsertsInText(source: string, { marks }: Marks): MarkupProblem[] {
  const inserts = new Set(marks.filter((mark) => mark.type === 'insert').map((mark) => mark.start))
  return [...source.matchAll(LIKE_AN_INSERT)]
    .filter((match) => !inserts.has(match.index))
    .map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      message:
        'This insert is left as text: it stands in an attribute, in another comment or in an ' +
        'element that holds text only, or it does not end in /-->.',
    }))
}
