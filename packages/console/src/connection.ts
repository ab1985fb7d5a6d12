import { signal } from '@preact/signals'

/**
 * Whether the service answers. `updated`: it has files of another version than this tab, so that views which are not loaded yet are gone.
 */
export const connection = signal<'online' | 'offline' | 'updated'>('online')

/** Pause between two tries while the service does not answer, in milliseconds. */
const TRY_AGAIN_MS = 3000

let timer: ReturnType<typeof setTimeout> | undefined

/** The address of the console's page, which names the files of its version. */
const PAGE = document.baseURI.split('#', 1)[0] ?? ''
const SCRIPT = /assets\/main-\w+\.js/

/** A request was not answered: tries again until one is. */
export function lostConnection(): void {
  if (connection.value === 'updated') return
  connection.value = 'offline'
  clearTimeout(timer)
  timer = setTimeout(askAgain, TRY_AGAIN_MS)
}

/**
 * Asks whether the service is there, and whether it has the files of this tab.
 * @param misses whether a file could not be loaded
 */
export async function askAgain(misses = false): Promise<void> {
  clearTimeout(timer)
  const page = await fetch(PAGE, { cache: 'no-store' })
    .then((response) => (response.ok ? response.text() : undefined))
    .catch(() => undefined)
  if (page === undefined) return lostConnection()
  const [own] = SCRIPT.exec(document.querySelector('script')?.src ?? '') ?? []
  const [served] = SCRIPT.exec(page) ?? []
  if (own !== served) connection.value = 'updated'
  else if (misses) lostConnection()
  else connection.value = 'online'
}

addEventListener('online', () => {
  if (connection.value === 'offline') void askAgain()
})
// A browser without a network may still reach a service on the same machine.
addEventListener('offline', () => void askAgain())
