/** Terms of a question that say nothing about what is searched. */
const IGNORED: ReadonlySet<string> = new Set(
  'a an and are be by can do does for from get has have how i if in is it its me my not of on or so than that the their them then there they this to was we when where which why will with you your'.split(
    ' ',
  ),
)

/** What readers call things, and what the pages call them. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  undo: ['restore', 'take'],
  revert: ['restore', 'roll'],
  rollback: ['roll'],
  update: ['upgrade'],
  template: ['frame'],
  throttling: ['rate'],
  pagination: ['pages'],
  ssl: ['tls'],
  ai: ['agents'],
  llm: ['agents'],
  sdk: ['client'],
  limit: ['limited'],
  token: ['tokens'],
}

/** The terms that are looked up for one of a question. */
const lookedUp = (asked: string): string[] => {
  const term = asked.toLowerCase()
  return IGNORED.has(term) ? [] : [term, ...(SYNONYMS[term] ?? [])]
}

/** How the search of the pages ranks: a heading says more about a section than its text. */
export const SEARCH_OPTIONS = {
  processTerm: lookedUp,
  boost: { title: 8, titles: 1, text: 1 },
  prefix: (term: string): boolean => term.length > 2,
  fuzzy: (term: string): number | boolean => term.length > 4 && 0.2,
  /** A section within a section, and the page of a single command or endpoint, answer fewer questions. */
  boostDocument: (id: string, _term: string, stored?: Record<string, unknown>): number =>
    /\/(?:commands\/|endpoints)/.test(id) || [stored?.titles].flat().length > 1 ? 0.8 : 1,
}
