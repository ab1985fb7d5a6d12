import { useLayoutEffect, useRef } from 'preact/hooks'

/** Ctrl or Cmd with a letter. */
export const isShortcut =
  (letter: string) =>
  ({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): boolean =>
    (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === letter

/**
 * Does something with a key, wherever the focus is. A key that is held down does it once.
 * @param act undefined if there is nothing to do: the browser does nothing with the key then, either
 */
export function useKey(isIt: (event: KeyboardEvent) => boolean, act: (() => void) | undefined) {
  const latest = useRef(act)
  latest.current = act
  // An effect that follows the first frame would miss a key that is pressed as soon as the console is there.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isIt(event)) return
      event.preventDefault()
      if (!event.repeat) latest.current?.()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

const isSaveKey = isShortcut('s')

/** Ctrl+S: a view opens the dialog that saves, and the dialog confirms. */
export const useSaveKey = (save: (() => void) | undefined): void => useKey(isSaveKey, save)

/** Ctrl+S, or Enter in a line of text of a dialog that is no form. */
export const isConfirmKey = (event: KeyboardEvent): boolean =>
  isSaveKey(event) ||
  (event.key === 'Enter' &&
    event.target instanceof Element &&
    event.target.matches('dialog input:not([type], form *)'))
