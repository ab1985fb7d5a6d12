import { signal } from '@preact/signals'
import { me } from './current.ts'

/** Something that somebody has changed in this tab and not saved. */
type Unsaved = {
  /** When it was changed last, in milliseconds. */
  readonly at: number
}

/** The path is part of the name, because one host may have several services. */
const PREFIX = `wp-frames draft ${new URL('.', document.baseURI).pathname} `
/** Browsers keep about five million characters for a tab. */
const MAX_CHARACTERS = 4_000_000
/** What is large is not stored with each keystroke. */
const STORE_AFTER_MS = 300

const unsaved = signal<ReadonlyMap<string, Unsaved>>(readStored())
/** What the session storage has no room for: a reload would lose it. */
const unstored = signal<ReadonlySet<string>>(new Set())

let timer: ReturnType<typeof setTimeout> | undefined

/** What is unsaved belongs to a user. */
const keyOf = (name: string): string => `${PREFIX}${me.value?.user.id ?? 0} ${name}`

function readStored(): Map<string, Unsaved> {
  const stored = new Map<string, Unsaved>()
  for (const key of Object.keys(sessionStorage)) {
    if (!key.startsWith(PREFIX)) continue
    try {
      stored.set(key, JSON.parse(sessionStorage.getItem(key) ?? ''))
    } catch {
      sessionStorage.removeItem(key)
    }
  }
  return stored
}

/** Keeps something in the tab: it survives a reload and an expired token, and closing the tab forgets it. */
export function keep(name: string, value: Unsaved): void {
  unsaved.value = new Map(unsaved.value).set(keyOf(name), value)
  clearTimeout(timer)
  timer = setTimeout(store, STORE_AFTER_MS)
}

/** Forgets what is saved or discarded. */
export function forget(name: string): void {
  const left = new Map(unsaved.value)
  if (!left.delete(keyOf(name))) return
  unsaved.value = left
  store()
}

export const kept = <Value extends Unsaved>(name: string): Value | undefined =>
  unsaved.value.get(keyOf(name)) as Value | undefined

/** All that has a name with this beginning. */
export const keptWith = <Value extends Unsaved>(start: string): Value[] =>
  [...unsaved.value].flatMap(([key, value]) =>
    key.startsWith(keyOf(start)) ? (value as Value) : [],
  )

/** Whether a reload of the page would keep it. */
export const isStored = (name: string): boolean => !unstored.value.has(keyOf(name))

/** Writes all of it to the session storage, the latest first, as much as it has room for. */
function store(): void {
  clearTimeout(timer)
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(PREFIX) && !unsaved.value.has(key)) sessionStorage.removeItem(key)
  const failed = new Set<string>()
  let characters = 0
  for (const [key, value] of [...unsaved.value].sort(([, a], [, b]) => b.at - a.at)) {
    const text = JSON.stringify(value)
    characters += text.length
    if (characters > MAX_CHARACTERS || !fitsIn(key, text)) {
      sessionStorage.removeItem(key)
      failed.add(key)
    }
  }
  unstored.value = failed
}

function fitsIn(key: string, text: string): boolean {
  try {
    sessionStorage.setItem(key, text)
    return true
  } catch {
    return false
  }
}

addEventListener('pagehide', store)
addEventListener('beforeunload', (event) => {
  // A reload keeps it, but closing the tab does not, and both look the same from here.
  if (unsaved.value.size > 0) event.preventDefault()
})
