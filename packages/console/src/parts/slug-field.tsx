import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useSiteRead } from '../calls.ts'
import { PAUSE, TextField } from './fields.tsx'
import { FrameLink } from './things.tsx'

/** A slug as the API takes it: `card`, `card__title`, `card--wide`. */
const SLUG = /^[a-z0-9]+(?:(?:--?|__)[a-z0-9]+)*$/

/** What a frame with this name is called in markup: `My Promo!` is `my-promo`. */
export function slugOf(name: string): string {
  const text = name.normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase()
  return SLUG.test(text) ? text : text.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
}

type SlugFieldProps = {
  readonly initial: string
  /** The slug that it has, which is no other name. */
  readonly current?: string
  /** Undefined if it cannot be used; settled after a pause in the typing. */
  readonly onSlug: (slug: string | undefined, isSettled: boolean) => void
}

/** Asks for the name of a frame: it becomes a slug while somebody types, and one that is taken is said at once. */
export function SlugField({ initial, current, onSlug }: SlugFieldProps) {
  const slug = useSignal(slugOf(initial))
  const asked = useSignal('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { reading, answer } = useSiteRead(
    'listFrames',
    asked.value === '' ? undefined : { q: asked.value, limit: 200 },
  )
  const isTaken = answer?.frames.some((frame) => frame.slug === slug.value) === true
  const isOther = slug.value !== current
  const isUsable = slug.value !== '' && isOther && !isTaken
  const isSettled = asked.value === slug.value && reading.state !== 'loading'
  // At once: Enter after another letter must not confirm the former name.
  useLayoutEffect(() => {
    onSlug(isUsable ? slug.value : undefined, isSettled)
  }, [slug.value, isUsable, isSettled])
  const look = (text: string) => {
    slug.value = slugOf(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => (asked.value = slug.value), PAUSE)
  }
  useLayoutEffect(() => {
    if (initial !== '') look(initial)
  }, [])
  return (
    <TextField
      label="Name"
      name="name"
      defaultValue={initial}
      required
      spellcheck={false}
      isHintLive
      isBad={isTaken && isOther}
      hint={
        slug.value === '' ? (
          'Letters from a to z and digits, such as Promo banner.'
        ) : (
          <>
            In markup: <strong>{slug.value}</strong>
            {isTaken && isOther && (
              <>
                . This name is taken: choose another one, or open <FrameLink slug={slug.value} />.
              </>
            )}
          </>
        )
      }
      onInput={({ currentTarget }) => look(currentTarget.value)}
    />
  )
}
