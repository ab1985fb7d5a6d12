/** A moment as WordPress's tables hold it: GMT, whole seconds, `YYYY-MM-DD HH:MM:SS`. */
export function gmtText(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ')
}
