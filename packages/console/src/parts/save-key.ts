import { useEffect, useRef } from 'preact/hooks'

/**
 * Does something with Ctrl+S: a view opens the dialog that saves, and the dialog confirms. A key that is held down does it once.
 * @param save undefined if there is nothing to save: the browser does not offer to save the page then, either
 */
export function useSaveKey(save: (() => void) | undefined): void {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (!isShortcut || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      if (!event.repeat) latest.current?.()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
