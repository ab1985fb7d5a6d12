/** A term of the project's former vocabulary, and the standard words for its meanings. */
type FormerTerm = { readonly pattern: RegExp; readonly use: string }

/** Whole words, in lower case. Compound names are split into their words before they are compared. */
const FORMER_TERMS: readonly FormerTerm[] = [
  { pattern: /^whoever$/, use: 'any client, a caller, an operator' },
  { pattern: /^anew$/, use: 'again, force, replace' },
  { pattern: /^mend\w*$/, use: 'fix' },
  { pattern: /^told$/, use: 'reported, set, said' },
  { pattern: /^stands$/, use: 'is, exists' },
  { pattern: /^heard$/, use: 'received, timeout' },
  { pattern: /^bears$/, use: 'has, carries' },
  { pattern: /^rehears\w*$/, use: 'dry run' },
  { pattern: /^manner$/, use: 'options' },
  { pattern: /^stray$/, use: 'stale, leftover, orphaned' },
  { pattern: /^turns?$/, use: 'lock, mutex, yield' },
  { pattern: /^words?$/, use: 'ETag, nonce, version, name' },
  { pattern: /^places?$/, use: 'location, assignment, source location, site membership' },
  { pattern: /^ground$/, use: 'infrastructure' },
  { pattern: /^visit(s|ed|ing)?$/, use: 'snapshot, check, request' },
  { pattern: /^estates?$/, use: 'fixture' },
  { pattern: /^patients?$/, use: 'fixture' },
  { pattern: /^soup$/, use: 'random markup' },
  { pattern: /^surroundings$/, use: 'scope' },
]

/** Expressions for which the glossary has one word, where users read them. Other texts may use them in another sense. */
const FORMER_EXPRESSIONS: readonly FormerTerm[] = [
  {
    pattern: /\b(?:take|takes|taking|taken|took)(?: (?:it|them|that|this|all|both))? back\b/i,
    use: 'undo, roll back',
  },
  { pattern: /\brevert(?:s|ed|ing)?\b/i, use: 'undo, restore' },
  { pattern: /\bfeed of changes\b/i, use: 'events' },
  { pattern: /\bbackground worker\b/i, use: 'process, builder' },
  { pattern: /\bre-?(?:generate|build)(?:s|d|ing)?\b/i, use: 'build' },
]

/** Pages, texts of the API and of commands, and what their packages say. */
const FOR_USERS =
  /^(?:README\.md$|docs\/(?!glossary|consistency)|src\/(?:api|cli|host)\/|packages\/(?:client|migration|store-s3|php-serialized)\/(?:src\/|README))/

/** A name that contains a former term in another sense, and the files that may use it [all]. */
type AllowedName = { readonly pattern: RegExp; readonly files?: RegExp }

/** These names are removed before a text is split. */
const ALLOWED: readonly AllowedName[] = [
  { pattern: /wordpress/gi },
  { pattern: /passwords?/gi },
  { pattern: /\bin[- ]place\b/gi },
  // A function of WordPress.
  { pattern: /wp_trim_words/g },
  // Variables of bash and zsh, and a function of zsh.
  { pattern: /COMP_WORDS|\bwords\b|complete-word/g, files: /^(?:src|test)\/cli\/completion\// },
  // A code of the doctor, which is stable.
  { pattern: /static_stray/g },
  // Former names of the doctor's --json output.
  { pattern: /`mend(?:ed)?`/g, files: /^CHANGELOG\.md$/ },
  // A page of the demo.
  {
    pattern: /\*\*Visit us\*\*|\/visit\/|'visit'/g,
    files: /^(?:docs\/start\.md|tools\/screenshots\.ts)$/,
  },
  // The theme of the test network: its name is stored in the network's rows.
  { pattern: /four-places/g },
]

/** A former term in a text, with the line [from 1] on which it occurs. */
export type Finding = { readonly line: number; readonly term: string; readonly use: string }

/**
 * Finds former terms in prose and in the parts of camelCase, snake_case and kebab-case names.
 * @param file the path of the text's file in the repository
 */
export function findFormerTerms(text: string, file = ''): Finding[] {
  const allowed = ALLOWED.filter(({ files }) => files?.test(file) ?? true)
  const findingsIn = (line: string, number: number): Finding[] => [
    ...termsIn(line, allowed).flatMap((term) => findingOf(term, number)),
    ...(FOR_USERS.test(file) ? expressionsIn(line, number) : []),
  ]
  return text.split('\n').flatMap((line, index) => findingsIn(line, index + 1))
}

function findingOf(term: string, line: number): Finding[] {
  const former = FORMER_TERMS.find(({ pattern }) => pattern.test(term))
  return former ? [{ line, term, use: former.use }] : []
}

function expressionsIn(text: string, line: number): Finding[] {
  return FORMER_EXPRESSIONS.flatMap(({ pattern, use }) => {
    const [term] = pattern.exec(text) ?? []
    return term === undefined ? [] : [{ line, term, use }]
  })
}

function termsIn(line: string, allowed: readonly AllowedName[]): string[] {
  const rest = allowed.reduce((text, { pattern }) => text.replace(pattern, ' '), line)
  const spaced = rest
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return (spaced.match(/[A-Za-z]+/g) ?? []).map((term) => term.toLowerCase())
}
