import { useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import { useSite } from '../../current.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useRead } from '../../reading.ts'
import { bestOf } from '../../text.ts'

/** Searches frames by slug, and takes one. */
export function FramePicker({
  label,
  onPick,
}: {
  readonly label: string
  readonly onPick: (slug: string) => void
}) {
  const { site_id: site } = useSite()
  const id = useId()
  const search = useSignal('')
  const picked = useSignal('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { reading, reload } = useRead('listFrames', {
    site_id: site,
    q: search.value,
    limit: 20,
    details: true,
  })
  const found = reading.state === 'ready' ? reading.answer.frames : []
  const pick = (slug: string) => {
    picked.value = slug
    onPick(slug)
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        spellcheck={false}
        placeholder="Part of its name; Enter takes the first"
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          const typed = event.currentTarget.value.trim().toLowerCase()
          const first = bestOf(found, typed, ({ slug }) => slug)
          if (first) pick(first.slug)
        }}
        onInput={({ currentTarget }) => {
          clearTimeout(timer.current)
          timer.current = setTimeout(() => {
            search.value = currentTarget.value.trim()
          }, 250)
        }}
      />
      <Loaded reading={reading} retry={reload}>
        {({ frames }) => (
          <ul class="choices">
            {frames.map(({ slug, pages = [], details }) => (
              <li key={slug}>
                <button
                  type="button"
                  class="quiet"
                  aria-pressed={slug === picked.value}
                  onClick={() => pick(slug)}
                >
                  {slug}
                  {pages.length === 0 && (details?.embedded_by ?? 0) > 0 && (
                    <span class="none">a part of other frames, not a page</span>
                  )}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </div>
  )
}
