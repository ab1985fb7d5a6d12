/** A term of the project's former vocabulary, and the standard words for its meanings. */
type FormerTerm = { readonly pattern: RegExp; readonly use: string }

/** Whole words, in lower case. Compound names are split into their words before they are compared. */
const FORMER_TERMS: readonly FormerTerm[] = [
  { pattern: /^whoever$/, use: 'any client, a caller, an operator' },
  { pattern: /^anew$/, use: 'again, force, replace' },
  { pattern: /^mend\w*$/, use: 'fix' },
  { pattern: /^held$/, use: 'locked, cached, recorded, stored' },
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

/** Names that contain a former term in another sense. They are removed before a text is split. */
const ALLOWED: readonly RegExp[] = [
  /wordpress/gi,
  /passwords?/gi,
  /\bin[- ]place\b/gi,
  // A function of WordPress.
  /wp_trim_words/g,
  // A check code of the doctor's --json output.
  /static_stray/g,
  // The theme of the test network: its name is stored in the network's rows.
  /four-places/g,
]

/** A former term in a text, with the line [from 1] on which it occurs. */
export type Finding = { readonly line: number; readonly term: string; readonly use: string }

/** Finds former terms in prose and in the parts of camelCase, snake_case and kebab-case names. */
export function findFormerTerms(text: string): Finding[] {
  return text
    .split('\n')
    .flatMap((line, index) => termsIn(line).flatMap((term) => findingOf(term, index + 1)))
}

function findingOf(term: string, line: number): Finding[] {
  const former = FORMER_TERMS.find(({ pattern }) => pattern.test(term))
  return former ? [{ line, term, use: former.use }] : []
}

function termsIn(line: string): string[] {
  const rest = ALLOWED.reduce((text, allowed) => text.replace(allowed, ' '), line)
  const spaced = rest
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return (spaced.match(/[A-Za-z]+/g) ?? []).map((term) => term.toLowerCase())
}
