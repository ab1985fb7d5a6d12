/** Words that say nothing about what is searched. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are be by can do does for from get has have how i if in is it its me my not of on or so than that the their them then there they this to was we when where which why will with you your'.split(
    ' ',
  ),
)

/** What readers call things, and the words of the pages. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  undo: ['restore', 'take'],
  revert: ['restore', 'roll'],
  rollback: ['roll'],
  update: ['upgrade'],
  template: ['frame'],
  templates: ['frame'],
  ratelimit: ['rate'],
  throttling: ['rate'],
  pagination: ['pages'],
  ssl: ['tls'],
  kubernetes: ['kubernetes', 'containers'],
  docker: ['docker', 'containers'],
  ai: ['agents'],
  llm: ['agents'],
  claude: ['agents'],
  cdn: ['cdns'],
  login: ['sign', 'login'],
  variables: ['variables'],
  env: ['variable'],
  typescript: ['client'],
  sdk: ['client'],
}

/** A word of a question as it is looked up: several words, or none. */
const words = (term: string): string[] | null => {
  const word = term.toLowerCase()
  if (STOP_WORDS.has(word)) return null
  return [word, ...(SYNONYMS[word] ?? [])]
}

/** How the search of the pages ranks: a heading says more about a section than its text. */
export const SEARCH_OPTIONS = {
  processTerm: words,
  boost: { title: 8, titles: 3, text: 1 },
  prefix: (term: string): boolean => term.length > 2,
  fuzzy: (term: string): number | boolean => term.length > 4 && 0.2,
  /** The pages of single commands and endpoints answer fewer questions than guides. */
  boostDocument: (id: string): number => (/\/(?:commands\/|endpoints)/.test(id) ? 0.8 : 1),
}
