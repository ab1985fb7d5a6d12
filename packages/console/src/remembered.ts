import { useSignal } from '@preact/signals'

/** A setting of this browser, such as whether long lines are wrapped. Without storage it lasts as long as the view. */
export function useRemembered(name: string, initial: string) {
  const value = useSignal(readRemembered(name) ?? initial)
  const set = (next: string) => {
    value.value = next
    storeRemembered(name, next)
  }
  return [value.value, set] as const
}

export function readRemembered(name: string): string | null {
  try {
    return localStorage.getItem(keyOf(name))
  } catch {
    return null
  }
}

/** @param value undefined forgets the setting */
export function storeRemembered(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(keyOf(name))
    else localStorage.setItem(keyOf(name), value)
  } catch {
    // The browser keeps nothing for this page.
  }
}

const keyOf = (name: string): string => `wp-frames ${name}`
