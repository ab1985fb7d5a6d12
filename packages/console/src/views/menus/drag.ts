import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { depthsAt, endOf, type Tree, without } from './tree.ts'

/** Where an item is dropped: its index, and index and depth in the tree without it. */
export type Drag = { readonly index: number; readonly to: number; readonly depth: number }

/** Height of a row in CSS pixels; that of `.branch` in `menus.css`. */
export const ROW = 52
/** Pixels of a level. */
const INDENT = 20
/** Pixels after which a press is a drag, and the height at the edges in which the tree scrolls. */
const THRESHOLD = 5
const EDGE = 30
const SCROLL_STEP = 10

type Line = { readonly slot: number; readonly depth: number }

type Pressed = {
  readonly index: number
  readonly x: number
  readonly y: number
  readonly pointerId: number
  isDragging: boolean
}

/**
 * Dragging of rows with a mouse, a pen or a finger; with a finger at their grips, because elsewhere it scrolls. The pointer decides about the row and,
 * sideways, about the depth. Escape ends it without a drop.
 */
export function useDrag({
  box,
  tree,
  isRtl,
  onDrop,
}: {
  readonly box: RefObject<HTMLDivElement | null>
  readonly tree: Tree
  readonly isRtl: boolean
  readonly onDrop: ((drop: Drag) => void) | undefined
}): { readonly line: Signal<(Drag & Line) | undefined>; readonly handlers: object } {
  const line = useSignal<(Drag & Line) | undefined>(undefined)
  const pressed = useRef<Pressed | undefined>(undefined)
  const scrolling = useRef<ReturnType<typeof setInterval>>(undefined)
  const end = () => {
    clearInterval(scrolling.current)
    scrolling.current = undefined
    pressed.current = undefined
    line.value = undefined
  }
  useEffect(() => end, [])
  if (!onDrop) return { line, handlers: {} }

  const follow = ({ clientX, clientY }: PointerEvent) => {
    const { current } = box
    const press = pressed.current
    if (!current || !press) return
    const y = clientY - current.getBoundingClientRect().top + current.scrollTop
    const slot = Math.min(Math.max(Math.round(y / ROW), 0), tree.length)
    const rest = without(tree, press.index)
    const branch = endOf(tree, press.index) - press.index
    const to =
      slot <= press.index ? slot : slot <= press.index + branch ? press.index : slot - branch
    const { min, max } = depthsAt(rest, to)
    const sideways = Math.round(((clientX - press.x) * (isRtl ? -1 : 1)) / INDENT)
    const wanted = (tree[press.index]?.depth ?? 0) + sideways
    const depth = Math.min(Math.max(wanted, min), max)
    line.value = { index: press.index, to, depth, slot: to <= press.index ? to : to + branch }
  }
  const scrollAtEdge = (event: PointerEvent) => {
    clearInterval(scrolling.current)
    scrolling.current = undefined
    const { current } = box
    if (!current) return
    const { top, bottom } = current.getBoundingClientRect()
    const by =
      event.clientY < top + EDGE ? -SCROLL_STEP : event.clientY > bottom - EDGE ? SCROLL_STEP : 0
    if (by === 0) return
    scrolling.current = setInterval(() => {
      current.scrollTop += by
      follow(event)
    }, 16)
  }
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      const target = event.target as Element
      const row = target.closest<HTMLElement>('[data-index]')
      const isGrip = target.closest('.grip') !== null
      if (!row || event.button !== 0 || (event.pointerType === 'touch' && !isGrip)) return
      const { clientX: x, clientY: y, pointerId } = event
      const index = Number(row.dataset.index)
      pressed.current = { index, x, y, pointerId, isDragging: false }
    },
    onPointerMove: (event: PointerEvent) => {
      const press = pressed.current
      if (!press || press.pointerId !== event.pointerId) return
      const distance = Math.hypot(event.clientX - press.x, event.clientY - press.y)
      if (!press.isDragging && distance < THRESHOLD) return
      if (!press.isDragging) box.current?.setPointerCapture(event.pointerId)
      press.isDragging = true
      follow(event)
      scrollAtEdge(event)
    },
    onPointerUp: () => {
      const drop = line.value
      const { isDragging = false } = pressed.current ?? {}
      end()
      if (isDragging && drop) onDrop(drop)
    },
    onPointerCancel: end,
    onKeyDownCapture: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !pressed.current) return
      event.preventDefault()
      end()
    },
  }
  return { line, handlers }
}
