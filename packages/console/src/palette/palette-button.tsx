import { useSignal } from '@preact/signals'
import { isShortcut, useKey } from '../parts/keys.ts'
import { useLater } from '../parts/later.tsx'
import { announce } from '../parts/notice.tsx'

const isSearchKey = isShortcut('k')

/** Opens the search for sites, frames, menus, pages and views; Ctrl+K does too. It is loaded when it is first opened. */
export function PaletteButton() {
  const isOpen = useSignal(false)
  const load = async () => (await import('./palette.tsx')).Palette
  const Palette = useLater(load, isOpen.value, () => {
    isOpen.value = false
    announce('The search could not be loaded. Check the connection, then try again.')
  })
  const open = () => (isOpen.value = true)
  useKey((event) => !event.defaultPrevented && isSearchKey(event), open)
  return (
    <>
      <button type="button" class="palette-button" aria-keyshortcuts="Control+K" onClick={open}>
        Search <kbd>Ctrl K</kbd>
      </button>
      {isOpen.value && Palette && <Palette onClose={() => (isOpen.value = false)} />}
    </>
  )
}
