import { signal } from '@preact/signals'
import { readRemembered, storeRemembered } from './remembered.ts'

type Theme = 'light' | 'dark'

const isDark = matchMedia('(prefers-color-scheme: dark)')

/** What was chosen in this browser; undefined for the system's. */
const chosen = signal<Theme | undefined>(undefined)

function apply(theme: Theme | undefined): void {
  chosen.value = theme
  document.documentElement.style.colorScheme = theme ?? ''
}

const before = readRemembered('theme')
apply(before === 'light' || before === 'dark' ? before : undefined)

/** Changes between light and dark. The choice of the system needs no storage. */
export function ThemeSwitch() {
  const system: Theme = isDark.matches ? 'dark' : 'light'
  const other: Theme = (chosen.value ?? system) === 'dark' ? 'light' : 'dark'
  const change = () => {
    apply(other === system ? undefined : other)
    storeRemembered('theme', other === system ? undefined : other)
  }
  return (
    <button type="button" class="quiet icon" aria-label={`Switch to ${other}`} onClick={change}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.6" />
        <path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z" fill="currentColor" />
      </svg>
    </button>
  )
}
