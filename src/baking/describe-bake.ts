import type { BakeResponse, UnresolvedBind } from '../change.ts'
import type { IndexedFrame } from '../frames/graph.ts'
import { bakedOption } from '../frames/option-names.ts'
import type { Bake } from './bake-frame.ts'
import type { BakedLanguage } from './baked-copy.ts'

type Described = Omit<BakeResponse, 'published' | 'pages' | 'renders_on_request' | 'default_lang'>

/** What a bake of a frame came to, publication aside (contract, section 2.3). */
export function describeBake({ id, meta }: IndexedFrame, { copy, outcome }: Bake): Described {
  const { closure, facts, hasBody, languages } = copy.header
  const sum = (count: (language: BakedLanguage) => number): number =>
    languages.reduce((total, language) => total + count(language), 0)
  return {
    baked: outcome !== 'kept',
    frame_id: id,
    bytes: sum(({ bytes }) => bytes),
    source_bytes: meta.bytes,
    baked_option: bakedOption(id),
    lang: languages.flatMap(({ lang }) => lang ?? []),
    blocks: sum(({ blocks }) => blocks),
    inserts: Object.values(meta.inserts).reduce((total, count) => total + count, 0),
    unknown_inserts: facts.unknown_inserts,
    binds: meta.binds,
    bind_tags: facts.bind_tags,
    repeats: facts.repeats,
    frames: closure.frames.slice(1).map(({ slug }) => slug),
    unresolved: unresolvedIn(languages),
    warnings: [
      ...new Set(languages.flatMap(({ warnings }) => warnings)),
      ...(hasBody ? [] : [COPY_TOO_LARGE]),
    ],
  }
}

const COPY_TOO_LARGE =
  'The baked copy is too large to be stored, so every page on this frame is built anew when it is asked for.'

/** Those of all languages, each once. */
function unresolvedIn(languages: readonly BakedLanguage[]): UnresolvedBind[] {
  const found = new Map<string, UnresolvedBind>()
  for (const entry of languages.flatMap(({ unresolved }) => unresolved)) {
    found.set(JSON.stringify(entry), entry)
  }
  return [...found.values()]
}
