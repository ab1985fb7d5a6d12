export const EVENT_TYPES = ['changed', 'edited', 'published', 'reset'] as const

export type EventType = (typeof EVENT_TYPES)[number]
