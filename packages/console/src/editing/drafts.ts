import { signal } from '@preact/signals'
import type { FrameChange } from './frame-changes.ts'

/** Unsaved markup of a user in this tab. */
export type Draft = FrameChange & {
  readonly user: number
  readonly site: number
  /** When it was edited last, in milliseconds. */
  readonly at: number
}

/** Who edits which frame. */
type DraftOwner = Pick<Draft, 'user' | 'site'>

/** The path is part of the name, because one host may have several services. */
const PREFIX = `wp-frames draft ${new URL('.', document.baseURI).pathname} `
/** Browsers keep about five million characters for a tab. Each draft has the markup that it began with, too. */
const MAX_CHARACTERS = 4_000_000
/** Large markup is not stored with each keystroke. */
const STORE_AFTER_MS = 300

const drafts = signal<ReadonlyMap<string, Draft>>(readKept())
/** Drafts that the session storage has no room for: a reload would lose them. */
const unkept = signal<ReadonlySet<string>>(new Set())

let timer: ReturnType<typeof setTimeout> | undefined

const keyOf = ({ user, site, ref }: Pick<Draft, 'user' | 'site' | 'ref'>): string =>
  `${PREFIX}${user} ${site} ${ref}`

function readKept(): Map<string, Draft> {
  const kept = new Map<string, Draft>()
  for (const key of Object.keys(sessionStorage)) {
    if (!key.startsWith(PREFIX)) continue
    try {
      kept.set(key, JSON.parse(sessionStorage.getItem(key) ?? ''))
    } catch {
      sessionStorage.removeItem(key)
    }
  }
  return kept
}

/** Keeps a draft in the tab: it survives a reload and an expired token, and closing the tab forgets it. */
export function keepDraft(draft: Draft): void {
  drafts.value = new Map(drafts.value).set(keyOf(draft), draft)
  clearTimeout(timer)
  timer = setTimeout(storeDrafts, STORE_AFTER_MS)
}

/** Forgets a draft that is saved or discarded. */
export function discardDraft(owner: DraftOwner, ref: string): void {
  const left = new Map(drafts.value)
  left.delete(keyOf({ ...owner, ref }))
  drafts.value = left
  storeDrafts()
}

/** The draft of a frame, by its id, or by its slug if the frame was new when it was begun. */
export function draftOf({ user, site }: DraftOwner, ...refs: string[]): Draft | undefined {
  const found = refs.flatMap((ref) => drafts.value.get(keyOf({ user, site, ref })) ?? [])
  return found[0] ?? draftsOf({ user, site }).find(({ slug }) => refs.includes(slug))
}

/** All drafts of a user on a site, by slug. */
export function draftsOf({ user, site }: DraftOwner): Draft[] {
  return [...drafts.value.values()]
    .filter((draft) => draft.user === user && draft.site === site)
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

/** Whether a reload of the page would keep the draft. */
export const isKept = (draft: Draft): boolean => !unkept.value.has(keyOf(draft))

/** Writes all drafts to the session storage, the latest first, as many as it has room for. */
function storeDrafts(): void {
  clearTimeout(timer)
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(PREFIX) && !drafts.value.has(key)) sessionStorage.removeItem(key)
  const failed = new Set<string>()
  let characters = 0
  for (const [key, draft] of [...drafts.value].sort(([, a], [, b]) => b.at - a.at)) {
    const text = JSON.stringify(draft)
    characters += text.length
    if (characters > MAX_CHARACTERS || !isStored(key, text)) {
      sessionStorage.removeItem(key)
      failed.add(key)
    }
  }
  unkept.value = failed
}

function isStored(key: string, text: string): boolean {
  try {
    sessionStorage.setItem(key, text)
    return true
  } catch {
    return false
  }
}

addEventListener('pagehide', storeDrafts)
addEventListener('beforeunload', (event) => {
  // A reload keeps drafts, but closing the tab does not, and both look the same from here.
  if (drafts.value.size > 0) event.preventDefault()
})
