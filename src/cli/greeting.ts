/** What a service prints on a terminal when it runs: where it is, and what to do next. */
export function greeting(lines: {
  readonly console: string | undefined
  readonly front: string | undefined
  readonly next: string
}): string {
  const { console, front, next } = lines
  return [
    '',
    ...(console === undefined ? [] : [`Console  ${console}`]),
    ...(front === undefined ? [] : [`Front    ${front}`]),
    `Next     ${next}`,
    '',
  ].join('\n')
}
