import type { Page } from '../wordpress/pages/posts.ts'
import type { BakeContext, PrintableCopy } from './bake-frame.ts'
import type { UnreadFrames } from './bakery/build-bakery.ts'
import { closureFrames, readableFrames } from './closure.ts'
import type { Piece } from './pieces.ts'
import type { Program } from './program.ts'

/** Prints a page from the baked copy of its frame, with what waited for the page. */
export async function renderPage(
  context: BakeContext,
  { copy, language, pieces, values }: PrintableCopy,
  page: Page,
): Promise<string> {
  if (!language.live) return pieces.join('')
  const menus = Object.values(values.menus)
  const fields = new Set(copy.header.needs.page)
  if (menus.some((menu) => menu?.hasSwitcher)) fields.add('translations')
  const [root] = copy.header.closure.frames
  const [frames, pageValues] = await Promise.all([
    context.bakery.readAhead(framesFor(context, root?.id ?? '', pieces)),
    context.data.pageValues(page, fields),
  ])
  const { listIds } = language
  return context.bakery.finish(frames, { pieces, values, page: pageValues, listIds })
}

/**
 * The frames that what waited for the page may embed, with all that they embed.
 * @param rootId of the frame that was baked: what its bake did not read is not read here either
 */
function framesFor(
  { graph, sources }: BakeContext,
  rootId: string,
  pieces: readonly Piece[],
): UnreadFrames {
  const found = new Set<string>()
  for (const ref of referencesIn(pieces)) {
    const frame = graph.registry.find(ref)
    if (!frame || found.has(frame.id)) continue
    found.add(frame.id)
    for (const { id } of graph.embeddedFrames(frame.id)) found.add(id)
  }
  const frames = [...found].flatMap((id) => graph.get(id) ?? [])
  return sources.of(frames, found.size === 0 ? [] : readableFrames(closureFrames(graph, rootId)))
}

function referencesIn(pieces: readonly Piece[]): string[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string') return []
    const live = piece.node.op === 'insert' ? referencesOf([piece.node]) : []
    return [...live, ...referencesIn(piece.pieces)]
  })
}

function referencesOf(program: Program): string[] {
  return program.flatMap((instruction) => {
    if (typeof instruction === 'string') return []
    if (instruction.op === 'element') return referencesOf(instruction.body)
    return [instruction.ref, ...referencesOf(instruction.body ?? [])]
  })
}
