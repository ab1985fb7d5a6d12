import { useSignal } from '@preact/signals'
import { Choices, PausedField } from '../../parts/fields.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useSiteRead } from '../../reading.ts'
import { bestOf } from '../../text.ts'

/** Searches frames by slug, and takes one. */
export function FramePicker({ onPick }: { readonly onPick: (slug: string) => void }) {
  const search = useSignal('')
  const picked = useSignal('')
  const { reading, reload } = useSiteRead('listFrames', {
    q: search.value,
    limit: 20,
    details: true,
  })
  const found = reading.state === 'ready' ? reading.answer.frames : []
  const pick = (frame: (typeof found)[number] | undefined) => {
    if (!frame) return
    picked.value = frame.slug
    onPick(frame.slug)
  }
  return (
    <div class="stack">
      <PausedField
        label="Frame"
        placeholder="Part of its name; Enter takes the first"
        onSettled={(text) => (search.value = text)}
        onEnter={(typed) => pick(bestOf(found, typed, ({ slug }) => slug))}
      />
      <Loaded reading={reading} retry={reload}>
        {({ frames }) => (
          <Choices
            items={frames}
            keyOf={({ slug }) => slug}
            isChosen={({ slug }) => slug === picked.value}
            onPick={pick}
          >
            {({ slug, pages = [], details }) => (
              <>
                {slug}
                {pages.length === 0 && (details?.embedded_by ?? 0) > 0 && (
                  <span class="none">a part of other frames, not a page</span>
                )}
              </>
            )}
          </Choices>
        )}
      </Loaded>
    </div>
  )
}
