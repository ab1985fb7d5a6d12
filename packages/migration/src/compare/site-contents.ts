import { parseBody } from './compare-answers.ts'
import type { CommonFrame, ComparableContents } from './compared-request.ts'
import type { ComparedAnswer } from './difference.ts'

/** The largest markup that a dry run is sent with, in characters. */
const MAX_DRY_RUN_CHARACTERS = 500_000

/**
 * What a site contains, as both sides answer it: only frames of both can be compared one by one. The first frame is one with a short markup,
 * which is equal on both sides.
 */
export function contentsIn(
  frames: { readonly old: ComparedAnswer; readonly ours: ComparedAnswer },
  menus: { readonly old: ComparedAnswer; readonly ours: ComparedAnswer },
): ComparableContents {
  const inOld = new Map(framesOf(frames.old).map((frame) => [frame.slug, frame]))
  const common = framesOf(frames.ours)
    .filter(({ slug }) => inOld.has(slug))
    .map((frame) => {
      const isSame = inOld.get(frame.slug)?.html === frame.html
      const isShort = (frame.html?.length ?? 0) <= MAX_DRY_RUN_CHARACTERS
      return { ...frame, html: isSame && isShort ? frame.html : undefined }
    })
  const { default_lang: defaultLang, theme, menus: list } = objectOf(menus.ours)
  const assigned = listOf(list).flatMap((menu) =>
    listOf(fieldOf(menu, 'assigned')).flatMap((one) => {
      const [location, lang] = [fieldOf(one, 'location'), fieldOf(one, 'lang')]
      if (typeof location !== 'string') return []
      return [{ location, lang: typeof lang === 'string' ? lang : null }]
    }),
  )
  const isDefault = ({ lang }: { readonly lang: string | null }): number =>
    lang === null || lang === defaultLang ? 0 : 1
  return {
    frames: [
      ...common.filter(({ html }) => html !== undefined),
      ...common.filter(({ html }) => html === undefined),
    ],
    theme: typeof theme === 'string' ? theme : undefined,
    assigned: assigned.toSorted((a, b) => isDefault(a) - isDefault(b)),
  }
}

function framesOf(answer: ComparedAnswer): CommonFrame[] {
  return listOf(objectOf(answer).frames).flatMap((frame) => {
    const [id, slug, html] = ['id', 'slug', 'html'].map((name) => fieldOf(frame, name))
    if (typeof slug !== 'string') return []
    return [
      {
        id: String(id),
        slug,
        html: typeof html === 'string' ? html : undefined,
        sources: listOf(fieldOf(frame, 'sources')).map(String),
      },
    ]
  })
}

function objectOf({ body }: ComparedAnswer): Record<string, unknown> {
  const { value } = parseBody(body)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
