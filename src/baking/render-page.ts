import type { Db } from '../db/database.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { Page } from '../wordpress/pages/post.ts'
import { compileFrames, finder } from './bake-frame.ts'
import type { BakedCopy, BakedLanguage } from './baked-copy.ts'
import { PieceWriter } from './piece-writer.ts'
import type { Piece } from './pieces.ts'
import type { CompiledFrame } from './run.ts'
import type { SiteData } from './site-data.ts'
import { startRun } from './start-run.ts'

/** Prints a page from the baked copy of its frame: the copy of the page's language, with what waited for the page. */
export async function renderPage(
  db: Db,
  site: Site,
  { closure, needs, languages }: Pick<BakedCopy, 'closure' | 'needs' | 'languages'>,
  page: Page,
  data: SiteData,
): Promise<string> {
  const lang = page.lang ?? (await data.defaultLanguage())
  const { pieces } = copyIn(languages, lang)
  const [only = ''] = pieces
  if (pieces.length <= 1 && typeof only === 'string') return only
  // A repeat that waited for the page may embed frames; nothing else needs them now.
  const frames = pieces.some(mayEmbed)
    ? await compileFrames(db, site, closure)
    : new Map<string, CompiledFrame>()
  const { run } = startRun({
    values: await data.values(needs, lang),
    page: await data.pageValues(page),
    findFrame: finder(frames),
  })
  const out = new PieceWriter(run.budget)
  run.finish(pieces, out)
  return out.pieces().join('')
}

/** The copy in a language, else the one that is for all, else any: better in another language than not at all. */
function copyIn(
  languages: Readonly<Record<string, BakedLanguage>>,
  lang: string | null,
): BakedLanguage {
  const copy = languages[lang ?? ''] ?? languages[''] ?? Object.values(languages)[0]
  return copy ?? { fingerprint: '', pieces: [], unresolved: [], warnings: [] }
}

function mayEmbed(piece: Piece): boolean {
  if (typeof piece === 'string') return false
  if (piece.live === 'insert') return piece.insert.kind === 'repeat'
  if (piece.live === 'content') return piece.otherwise.some(mayEmbed)
  return piece.live === 'if' && piece.pieces.some(mayEmbed)
}
