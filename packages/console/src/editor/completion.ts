import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  snippet,
  startCompletion,
} from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'
import type { Output } from '../../../client/src/index.ts'
import { api } from '../client.ts'
import { type CursorContext, contextAt, type JsonContext } from './cursor-context.ts'

type Known = Output<'listCompletions'>
type Insert = Known['inserts'][number]
type Parameter = Insert['parameters'][number]

/** Frames that are offered at a time: what is typed searches for others. */
const FRAMES = 50
/** An insert and an attribute are not longer. */
const MAX_BEFORE = 4000

const BIND_TARGETS = ['if', 'html', 'href', 'src', 'alt', 'title', 'class', 'id', 'value']

/** Completes inserts and binds with names of the site. What the site has is read once, when something is first completed. */
export function markupCompletion(site: number): CompletionSource {
  let known: Promise<Known> | undefined
  const readKnown = async (): Promise<Known | undefined> => {
    known ??= api().listCompletions({ site_id: site })
    try {
      return await known
    } catch {
      // The next key tries again.
      known = undefined
      return undefined
    }
  }
  return async (context) => {
    const { state, pos, explicit } = context
    const start = Math.max(0, pos - MAX_BEFORE)
    const found = contextAt(state.sliceDoc(start, pos))
    if (!found) return null
    const cursor = { ...found, from: start + found.from }
    if (cursor.kind === 'insert' && cursor.from === pos && !explicit) return null
    const names = await readKnown()
    return names && !context.aborted ? complete(context, cursor, names, site) : null
  }
}

async function complete(
  context: CompletionContext,
  cursor: CursorContext,
  known: Known,
  site: number,
): Promise<CompletionResult | null> {
  const { from } = cursor
  if (cursor.kind === 'insert') {
    const isClosed = /^[^<]*?-->/.test(context.state.sliceDoc(context.pos, context.pos + 1000))
    const options = known.inserts.map((insert) => insertOption(insert, isClosed))
    return { from, options, validFor: /^[\w/-]*$/ }
  }
  if (cursor.kind === 'class') return { from, options: known.classes.map(asClass), validFor: NAME }
  if (cursor.kind === 'bind') {
    const targets = cursor.hasTarget ? [] : BIND_TARGETS.map(asTarget)
    return { from, options: [...known.paths.map(asPath), ...targets], validFor: /^[\w.-]*$/ }
  }
  const insert = known.inserts.find(
    ({ kind, aliases }) => kind === cursor.insert || aliases.includes(cursor.insert),
  )
  if (!insert) return null
  if (cursor.kind === 'key') {
    const options = insert.parameters
      .filter(({ name }) => !cursor.given.includes(name))
      .map((parameter) => keyOption(parameter, cursor.isQuoted))
    return { from, options, validFor: NAME }
  }
  const parameter = insert.parameters.find(({ name }) => name === cursor.key)
  return parameter ? completeValue(context, cursor, parameter, known, site) : null
}

const NAME = /^[\w-]*$/

async function completeValue(
  context: CompletionContext,
  { from, isQuoted }: JsonContext,
  { value }: Parameter,
  known: Known,
  site: number,
): Promise<CompletionResult | null> {
  const texts = (labels: readonly Completion[]): CompletionResult => ({
    from,
    options: labels.map((option) => ({
      ...option,
      apply: (view, { label }, start, end) => applyText(view, label, start, end, isQuoted),
    })),
    validFor: /^[\w.-]*$/,
  })
  switch (value) {
    case 'frame': {
      const { frames, next } = await findFrames(context, from, site)
      const result = texts(frames.map(named('class', 'A frame of this site.')))
      // A longer text finds other frames.
      return next === null ? result : { from, options: result.options, filter: false }
    }
    case 'path':
      return texts(known.paths.map(asPath))
    case 'location':
      return texts(known.locations.map(named('enum', 'A location of menus.')))
    case 'menu':
      return texts(known.menus.map(({ slug, name }) => ({ label: slug, detail: name })))
    case 'language':
      return texts(known.languages.map(named('enum', 'A language of this site.')))
    case 'classes':
      return texts(known.classes.map(asClass))
    case 'boolean':
      return isQuoted ? null : { from, options: [{ label: 'true' }, { label: 'false' }] }
    default:
      return null
  }
}

async function findFrames(
  context: CompletionContext,
  from: number,
  site: number,
): Promise<{ readonly frames: readonly string[]; readonly next: string | null }> {
  const q = context.state.sliceDoc(from, context.pos)
  const abort = new AbortController()
  context.addEventListener('abort', () => abort.abort())
  try {
    const input = { site_id: site, limit: FRAMES, ...(q === '' ? {} : { q }) }
    const { frames, next } = await api().listFrames(input, { signal: abort.signal })
    return { frames: frames.map(({ slug }) => slug), next: next ?? null }
  } catch {
    return { frames: [], next: null }
  }
}

/** The sentence beside a completion. The reference is loaded when one is first shown. */
const said = (name: string) => async (): Promise<Node | null> => {
  const { summaryOf } = await import('../help/markup-help.tsx')
  const summary = summaryOf(name)
  return summary === undefined ? null : document.createTextNode(summary)
}

const asPath = (label: string): Completion => ({ label, type: 'variable', info: said(label) })
const named =
  (type: string, info: string) =>
  (label: string): Completion => ({ label, type, info })
const asClass = named('constant', 'A class of this site.')
const asTarget = (label: string): Completion => ({
  label: `${label}:`,
  type: 'property',
  info: said(`${label}:`),
  boost: -10,
  apply: (view, _, from, to) => replace(view, `${label}:`, from, to, true),
})

function insertOption(insert: Insert, isClosed: boolean): Completion {
  const label = `svc/${insert.kind}`
  const [first] = insert.parameters
  const detail = insert.parameters.map(({ name }) => name).join(', ')
  const option = { label, detail, type: 'keyword', info: said(label) }
  if (isClosed) return option
  const json = first && first.value !== 'classes' ? ` {"${first.name}":"\${}"}` : ''
  const end = insert.has_body ? `${json} -->\${}<!-- /${label} -->` : `${json} /-->`
  const apply = snippet(label + end)
  return {
    ...option,
    apply: (view, completion, from, to) => {
      apply(view, completion, from, to)
      if (json !== '') startCompletion(view)
    },
  }
}

function keyOption({ name, value, description }: Parameter, isQuoted: boolean): Completion {
  return {
    label: name,
    info: description,
    type: 'property',
    apply: (view, _, from, to) => {
      const end = isQuoted && view.state.sliceDoc(to, to + 1) === '"' ? to + 1 : to
      const hasValue = /^\s*:/.test(view.state.sliceDoc(end, end + 20))
      const isText = value !== 'number' && value !== 'boolean'
      const stub = hasValue ? '' : isText ? ':""' : ':'
      const text = `${isQuoted ? '' : '"'}${name}"${stub}`
      const back = !hasValue && isText ? 1 : 0
      view.dispatch({
        changes: { from, to: end, insert: text },
        selection: { anchor: from + text.length - back },
        userEvent: 'input.complete',
      })
      if (!hasValue) startCompletion(view)
    },
  }
}

/** Writes a text of JSON, and moves behind its closing quote. */
function applyText(
  view: EditorView,
  text: string,
  from: number,
  to: number,
  isQuoted: boolean,
): void {
  const end = isQuoted && view.state.sliceDoc(to, to + 1) === '"' ? to + 1 : to
  replace(view, `${isQuoted ? '' : '"'}${text}"`, from, end)
}

function replace(view: EditorView, text: string, from: number, to: number, goesOn = false): void {
  view.dispatch({
    changes: { from, to, insert: text },
    selection: { anchor: from + text.length },
    userEvent: 'input.complete',
  })
  if (goesOn) startCompletion(view)
}
