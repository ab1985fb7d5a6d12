import { useSignal } from '@preact/signals'
import { isShortcut, useKey } from '../parts/keys.ts'
import { announce } from '../parts/notice.tsx'

type Palette = typeof import('./palette.tsx').Palette

const isSearchKey = isShortcut('k')

/** Opens the search for sites, frames, menus, pages and views; Ctrl+K does too. It is loaded when it is first opened. */
export function PaletteButton() {
  const isOpen = useSignal(false)
  const palette = useSignal<{ readonly Palette: Palette } | undefined>(undefined)
  const open = () => {
    isOpen.value = true
    if (palette.value) return
    import('./palette.tsx').then(
      (loaded) => (palette.value = loaded),
      () => {
        isOpen.value = false
        announce('The search could not be loaded. Check the connection, then try again.')
      },
    )
  }
  useKey((event) => !event.defaultPrevented && isSearchKey(event), open)
  const loaded = palette.value
  return (
    <>
      <button type="button" class="palette-button" aria-keyshortcuts="Control+K" onClick={open}>
        Search <kbd>Ctrl K</kbd>
      </button>
      {isOpen.value && loaded && <loaded.Palette onClose={() => (isOpen.value = false)} />}
    </>
  )
}
