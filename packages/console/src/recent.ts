import { signal } from '@preact/signals'
import { token } from './session.ts'

/** A view that was shown. */
type Recent = { readonly label: string; readonly note: string; readonly href: string }

const MAX_RECENT = 6

const shown = signal<{ readonly by: string | undefined; readonly views: readonly Recent[] }>({
  by: undefined,
  views: [],
})

/** The latest views of this token, the last one first. Nothing of it is stored: a reload forgets it. */
export const recentViews = (): readonly Recent[] =>
  shown.value.by === token.value ? shown.value.views : []

export function remember(view: Recent): void {
  const others = recentViews().filter(({ href }) => href !== view.href)
  shown.value = { by: token.value, views: [view, ...others].slice(0, MAX_RECENT) }
}
