/** Prints a line of progress. */
export type Report = (line: string) => void

/** Prints each line with the time since the beginning, in seconds. */
export function startReport(): Report {
  const begin = performance.now()
  return (line) => {
    const seconds = ((performance.now() - begin) / 1000).toFixed(0).padStart(5)
    console.log(`${seconds} s  ${line}`)
  }
}
