import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useTask } from '../calls.ts'
import { replaceQuery } from '../router.ts'
import { Button } from './fields.tsx'
import { isConfirmKey, useKey } from './keys.ts'
import { Announcer, announce, ErrorNotice } from './notice.tsx'

type DialogProps = {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** What a dialog calls: when it is closed, and before that when it has done what it asks about. */
export type DialogEnd = {
  readonly onClose: () => void
  readonly onDone: () => void
}

/** What has the focus, also within the editor. */
export function focusedElement(): Element | null {
  return document.activeElement?.shadowRoot?.activeElement ?? document.activeElement
}

/**
 * A modal dialog, open as long as it is rendered. A dialog without a field begins with the focus on its title, so that a screen reader reads what it
 * says before its buttons. Escape closes it, and the focus returns to where it was, or to the title of the view if that is gone.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const before = focusedElement()
    dialog.current?.showModal()
    return () => {
      // Until the dialog is gone, nothing outside of it can have the focus.
      queueMicrotask(() => {
        if (before instanceof HTMLElement) before.focus()
        if (document.activeElement === document.body)
          document.querySelector<HTMLElement>('h1')?.focus()
      })
    }
  }, [])
  // With another title it has another content.
  useLayoutEffect(() => {
    const field = dialog.current?.querySelector<HTMLElement>(
      'input:enabled:not([readonly]), select:enabled, textarea:enabled',
    )
    const start = field ?? heading.current
    start?.focus()
  }, [title])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      // Browsers close it at once with Escape, but say so with the next frame: until then it would be open for the console, and a key that opens it lost.
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={onClose}
    >
      <div class="dialog-body">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {children}
      </div>
      <Announcer />
    </dialog>
  )
}

type ConfirmProps = {
  readonly label: string
  readonly isDangerous?: boolean
  readonly onConfirm: (() => Promise<unknown>) | undefined
  readonly onClose: () => void
}

/**
 * The end of a dialog: a button that does what the dialog shows, and one that does not. An error is shown above them.
 * @param onConfirm undefined if it is not yet known what would be done
 */
export function Confirm({ label, isDangerous = false, onConfirm, onClose }: ConfirmProps) {
  const { error, isRunning, run } = useTask()
  const confirm = () => run(async () => onConfirm?.())
  // What is dangerous is not confirmed by a second press of the key that asked for it.
  useKey(isConfirmKey, onConfirm && !isDangerous && !isRunning ? confirm : undefined)
  return (
    <>
      {error && <ErrorNotice error={error} />}
      <div class="dialog-foot">
        <Button label="Cancel" onClick={onClose} />
        <Button
          label={isRunning ? 'Working...' : label}
          class={isDangerous ? 'danger' : 'primary'}
          disabled={onConfirm === undefined || isRunning}
          onClick={confirm}
        />
      </div>
    </>
  )
}

type DialogButtonProps = {
  readonly label: ComponentChildren
  readonly class?: string
  readonly 'aria-label'?: string
  readonly isAsked?: boolean
  readonly children: (onClose: () => void) => ComponentChildren
}

/** A button that opens a dialog. The parameter `new` of the address asks for one, as the search does. */
export function DialogButton({ label, isAsked = false, children, ...button }: DialogButtonProps) {
  const isOpen = useSignal(false)
  useEffect(() => {
    if (!isAsked) return
    isOpen.value = true
    replaceQuery({ new: undefined })
  }, [isAsked])
  return (
    <>
      <Button label={label} {...button} onClick={() => (isOpen.value = true)} />
      {isOpen.value && children(() => (isOpen.value = false))}
    </>
  )
}

/** Asks before something is done, and says what was done. What can be tried first has a `WriteDialog`. */
export function AskDialog({
  title,
  act,
  said,
  onClose,
  onDone,
  children,
  ...button
}: DialogProps & {
  readonly label: string
  readonly isDangerous?: boolean
  readonly act: () => Promise<unknown>
  readonly said: string
  readonly onDone: () => void
}) {
  const confirm = async () => {
    await act()
    onClose()
    announce(said)
    onDone()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Confirm {...button} onConfirm={confirm} onClose={onClose} />
    </Dialog>
  )
}
