/** A moment as the columns of the service store it: GMT with milliseconds. */
export const timeText = (moment: Date): string =>
  moment.toISOString().slice(0, 'YYYY-MM-DD HH:MM:SS.mmm'.length).replace('T', ' ')

/** A moment as WordPress's tables store it: GMT with whole seconds. */
export const gmtText = (moment: Date): string =>
  timeText(moment).slice(0, 'YYYY-MM-DD HH:MM:SS'.length)

/** The moment in a column that is in GMT, with milliseconds or without. An invalid Date for a zero date. */
export const parseGmt = (text: string): Date => new Date(`${text.replace(' ', 'T')}Z`)

export const DAY_MS = 86_400_000
