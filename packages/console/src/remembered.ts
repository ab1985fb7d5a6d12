import { useSignal } from '@preact/signals'

/** A setting of this browser, such as whether long lines are wrapped. Without storage it lasts as long as the view. */
export function useRemembered(name: string, initial: string) {
  const key = `wp-frames ${name}`
  const value = useSignal(read(key) ?? initial)
  const set = (next: string) => {
    value.value = next
    try {
      localStorage.setItem(key, next)
    } catch {
      // The browser keeps nothing for this page.
    }
  }
  return [value.value, set] as const
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
