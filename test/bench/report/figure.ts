/** Formats a number with three significant digits, or more before the decimal point. */
export function figure(value: number): string {
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
